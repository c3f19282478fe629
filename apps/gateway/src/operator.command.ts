import { userInfo } from 'node:os';
import { ConfigurationError } from '@bascule/process';
import { parseOperatorCommand } from './operator/operator-arguments.js';
import { withKeyManagement } from './operator/operator-database.client.js';
import { OperatorError, UsageError } from './operator/operator-error.js';
import { runOperatorCommand } from './operator/run-operator-command.service.js';

const WRONG_USAGE = 2;
const args = process.argv.slice(2);

/** `npm run operator -- organisations|keys …`, from the command line of whoever runs the deployment. */
try {
  const command = parseOperatorCommand(args, new Date());
  const actor = `operator ${userInfo().username}`;
  const lines = await withKeyManagement(process.env, actor, (management) =>
    runOperatorCommand(management, command),
  );
  for (const line of lines) console.log(line);
} catch (error) {
  if (!(error instanceof OperatorError || error instanceof ConfigurationError)) throw error;
  console.error(`${args[0] ?? 'operator'}: ${error.message}`);
  process.exitCode = error instanceof UsageError ? WRONG_USAGE : 1;
}
