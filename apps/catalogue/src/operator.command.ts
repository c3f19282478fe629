import { userInfo } from 'node:os';
import { ConfigurationError } from '@bascule/process';
import { parseAssetCommand } from './operator/operator-arguments.js';
import { withAssetManagement } from './operator/operator-database.client.js';
import { OperatorError, UsageError } from './operator/operator-error.js';
import { runAssetCommand } from './operator/run-asset-command.service.js';

const WRONG_USAGE = 2;

/** `npm run operator -- assets …`, from the command line of whoever runs the deployment. */
try {
  const command = parseAssetCommand(process.argv.slice(2));
  const actor = `operator ${userInfo().username}`;
  const lines = await withAssetManagement(process.env, actor, (management) =>
    runAssetCommand(management, command),
  );
  for (const line of lines) console.log(line);
} catch (error) {
  if (!(error instanceof OperatorError || error instanceof ConfigurationError)) throw error;
  console.error(`assets: ${error.message}`);
  process.exitCode = error instanceof UsageError ? WRONG_USAGE : 1;
}
