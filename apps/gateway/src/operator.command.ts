import { chainDefinitions } from '@bascule/chain';
import { VENUE_NAMES } from '@bascule/contracts';
import { isPlace } from '@bascule/geolocation';
import { operatorActor, runCommand } from '@bascule/operator-commands';
import { parseConfig, str } from '@bascule/process';
import { parseOperatorCommand } from './operator/operator-arguments.js';
import { parseCountryCommand } from './operator/country-arguments.js';
import {
  withCountryRules,
  withKeyManagement,
  withOrganisationSettings,
  withSwitches,
} from './operator/operator-database.client.js';
import { runCountryCommand } from './operator/run-country-command.service.js';
import { runOperatorCommand } from './operator/run-operator-command.service.js';
import { runSettingsCommand } from './operator/run-settings-command.service.js';
import { runSwitchCommand } from './operator/run-switch-command.service.js';
import { isSettingsGroup, parseSettingsCommand } from './operator/settings-arguments.js';
import { isSwitchGroup, parseSwitchCommand } from './operator/switch-arguments.js';

/** Environment of the stacks on one machine. */
const DEVELOPMENT = 'development';

const args = process.argv.slice(2);

const deployment = (): string =>
  parseConfig(process.env, {
    ENVIRONMENT: str({ desc: "name of the deployment, as in its services' environment" }),
  }).ENVIRONMENT;

async function changeSettings(): Promise<string[]> {
  const environment = deployment();
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

async function changeCountryRules(): Promise<string[]> {
  const environment = deployment();
  const command = parseCountryCommand(args, isPlace);
  return withCountryRules(process.env, { actor: operatorActor(), environment }, (rules) =>
    runCountryCommand(rules, command),
  );
}

/** Chains and most venues are part of the version; others are configuration of other services. */
function knownSubjects() {
  const names = (text: string) => text.split(',').filter((name) => name !== '');
  const { AGGREGATOR_NAMES, BRIDGE_NAMES, PROVIDER_NAMES } = parseConfig(process.env, {
    AGGREGATOR_NAMES: str({ default: '', desc: 'names of the venues in AGGREGATORS, by comma' }),
    BRIDGE_NAMES: str({ default: '', desc: 'names of the bridges in BRIDGES, by comma' }),
    PROVIDER_NAMES: str({ default: '', desc: 'names of the providers in PROVIDERS, by comma' }),
  });
  return {
    chain: Object.keys(chainDefinitions),
    venue: [...VENUE_NAMES, ...names(AGGREGATOR_NAMES)],
    bridge: names(BRIDGE_NAMES),
    provider: names(PROVIDER_NAMES),
  };
}

async function changeSwitches(): Promise<string[]> {
  const environment = deployment();
  const command = parseSwitchCommand(args, knownSubjects());
  return withSwitches(process.env, { actor: operatorActor(), environment }, (switches) =>
    runSwitchCommand(switches, command),
  );
}

async function manageKeys(): Promise<string[]> {
  const command = parseOperatorCommand(args, new Date());
  return withKeyManagement(process.env, operatorActor(), (management) =>
    runOperatorCommand(management, command),
  );
}

function run(): Promise<string[]> {
  if (args[0] === 'countries') return changeCountryRules();
  if (isSwitchGroup(args[0])) return changeSwitches();
  return isSettingsGroup(args[0]) ? changeSettings() : manageKeys();
}

/** `npm run operator -- organisations|keys|rev-shares|edges|redirect-origins|countries|pause|resume|pauses …` */
process.exitCode = await runCommand(args[0] ?? 'operator', async (output) => {
  for (const line of await run()) output.line(line);
});
