import { userInfo } from 'node:os';
import { ConfigurationError } from '@bascule/process';
import { USAGE, parseOperatorCommand } from './operator/operator-arguments.js';
import { withKeyManagement } from './operator/operator-database.client.js';
import { OperatorError, UsageError } from './operator/operator-error.js';
import { runOperatorCommand } from './operator/run-operator-command.service.js';

/** `npm run operator -- …`: organisations and keys, from the command line of whoever runs the deployment. */
try {
  const command = parseOperatorCommand(process.argv.slice(2), new Date());
  const actor = `operator ${userInfo().username}`;
  const lines = await withKeyManagement(process.env, actor, (management) =>
    runOperatorCommand(management, command),
  );
  for (const line of lines) console.log(line);
} catch (error) {
  if (!(error instanceof OperatorError || error instanceof ConfigurationError)) throw error;
  console.error(error.message);
  if (error instanceof UsageError) console.error(`\n${USAGE}`);
  process.exitCode = 1;
}
