// Compares a deployment on its chains with this release and with who should hold its keys; docs/operations/keys.md:
// npm run deployment:check -- --settings settings.json [--json]
import type { DeploymentSettings } from '@bascule/solidity';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { checkDeployment, isSound } from './check-deployment.js';
import { readExpectations } from './expectations.js';
import { jsonOf, tablesOf } from './report.js';

const WRONG_USAGE = 2;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { settings: { type: 'string' }, json: { type: 'boolean', default: false } },
  });
  if (!values.settings) throw new Error('--settings is missing: the file of the deployment');
  const settings = JSON.parse(readFileSync(values.settings, 'utf8')) as DeploymentSettings;
  const reports = await checkDeployment(readExpectations(process.env, settings));
  process.stdout.write(`${values.json ? jsonOf(reports) : tablesOf(reports)}\n`);
  process.exitCode = isSound(reports) ? 0 : 1;
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = WRONG_USAGE;
});
