import { operatorActor, runCommand } from '@bascule/operator-commands';
import { parseOperatorCommand } from './operator/operator-arguments.js';
import { withKeyManagement } from './operator/operator-database.client.js';
import { runOperatorCommand } from './operator/run-operator-command.service.js';

const args = process.argv.slice(2);

/** `npm run operator -- organisations|keys …` */
process.exitCode = await runCommand(args[0] ?? 'operator', async (output) => {
  const command = parseOperatorCommand(args, new Date());
  const lines = await withKeyManagement(process.env, operatorActor(), (management) =>
    runOperatorCommand(management, command),
  );
  for (const line of lines) output.line(line);
});
