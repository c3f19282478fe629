import { operatorActor, runCommand } from '@bascule/operator-commands';
import { parseAssetCommand } from './operator/operator-arguments.js';
import { withAssetManagement } from './operator/operator-database.client.js';
import { runAssetCommand } from './operator/run-asset-command.service.js';

/** `npm run operator -- assets …` */
process.exitCode = await runCommand('assets', async (output) => {
  const command = parseAssetCommand(process.argv.slice(2));
  const lines = await withAssetManagement(process.env, operatorActor(), (management) =>
    runAssetCommand(management, command),
  );
  for (const line of lines) output.line(line);
});
