// Compares the settings of a deployment with its nodes, contracts, databases, topics and parties; docs/operations/preflight.md:
// npm run operator -- preflight [--environments FOLDER | --service NAME] [--settings FILE] [--json]
import { parseChainsConfig } from '@bascule/chain';
import { OperatorError, runCommand } from '@bascule/operator-commands';
import type { DeploymentSettings } from '@bascule/solidity';
import { readFileSync } from 'node:fs';
import { readArguments, type PreflightArguments } from './arguments.js';
import type { Deployment } from './deployment.js';
import { ownEnvironment, readEnvironments } from './environments.js';
import { KeyRing } from './key-ring.js';
import { NODE_TIMEOUT_MS } from './nodes.js';
import { redacted } from './redact.js';
import { tableOf } from './report.js';
import { isSound, runChecks } from './run-checks.js';
import { describeService } from './services.js';

const WRONG_USAGE = 2;

function deploymentOf(
  { environments, service, settings, leastBalances }: PreflightArguments,
  env: NodeJS.ProcessEnv,
): Deployment {
  const named = service === undefined ? [] : [ownEnvironment(service, env)];
  const services = environments === undefined ? named : readEnvironments(environments);
  return {
    services: services.map(({ name, env: own }) => describeService(name, own)),
    ...(services.length === 0 && { chainsOnly: parseChainsConfig(env) }),
    ...(settings !== undefined && { contracts: settingsIn(settings) }),
    expected: env,
    leastBalances,
    keyRing: new KeyRing(),
    nodeTimeoutMs: NODE_TIMEOUT_MS,
  };
}

function settingsIn(file: string): DeploymentSettings {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as DeploymentSettings;
  } catch (error) {
    throw new OperatorError(`${file}: expected the settings of the deployment as JSON`, {
      cause: error,
    });
  }
}

const code = await runCommand('preflight', async (output) => {
  const asked = readArguments(process.argv.slice(2));
  const deployment = deploymentOf(asked, process.env);
  const findings = redacted(await runChecks(asked.checks, deployment), deployment);
  await deployment.keyRing.close();
  const untouched = asked.checks.filter(
    ({ name }) => !findings.some(({ check }) => check === name),
  );
  if (asked.json) output.json({ ok: isSound(findings), findings });
  else output.line(tableOf(findings));
  if (untouched.length > 0)
    output.note(`nothing to check: ${untouched.map(({ name }) => name).join(', ')}`);
  return isSound(findings);
});
// Timed-out work goes on: end it once everything is written.
if (code === WRONG_USAGE) process.exitCode = code;
else process.stdout.write('', () => process.exit(code));
