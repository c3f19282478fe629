import { chainDefinitions } from '@bascule/chain';
import { operatorActor, runCommand } from '@bascule/operator-commands';
import { parseConfig, str } from '@bascule/process';
import { parseOperatorCommand } from './operator/operator-arguments.js';
import {
  withKeyManagement,
  withOrganisationSettings,
} from './operator/operator-database.client.js';
import { runOperatorCommand } from './operator/run-operator-command.service.js';
import { runSettingsCommand } from './operator/run-settings-command.service.js';
import { isSettingsGroup, parseSettingsCommand } from './operator/settings-arguments.js';

/** Environment of the stacks on one machine. */
const DEVELOPMENT = 'development';

const args = process.argv.slice(2);

async function changeSettings(): Promise<string[]> {
  const { ENVIRONMENT: environment } = parseConfig(process.env, {
    ENVIRONMENT: str({ desc: "name of the deployment, as in its services' environment" }),
  });
  const command = parseSettingsCommand(args, {
    chains: new Set(Object.keys(chainDefinitions)),
    isDevelopment: environment === DEVELOPMENT,
  });
  return withOrganisationSettings(
    process.env,
    { actor: operatorActor(), environment },
    (settings) => runSettingsCommand(settings, command),
  );
}

async function manageKeys(): Promise<string[]> {
  const command = parseOperatorCommand(args, new Date());
  return withKeyManagement(process.env, operatorActor(), (management) =>
    runOperatorCommand(management, command),
  );
}

/** `npm run operator -- organisations|keys|rev-shares|edges|redirect-origins …` */
process.exitCode = await runCommand(args[0] ?? 'operator', async (output) => {
  const lines = await (isSettingsGroup(args[0]) ? changeSettings() : manageKeys());
  for (const line of lines) output.line(line);
});
