// `npm audit` of the lock file: known advisories about installed packages.
import { run, say } from '../test/commands.mjs';
import { lockedPackages } from './lock-file.mjs';

const STEP = 'audit';

/** Severities that fail: of what ships, all; of what only builds and tests, those that harm a developer's machine. */
const REFUSED_IN_DEVELOPMENT = ['high', 'critical'];

/** Advisories that do not reach this code, by the name of the package, with the argument. */
const ARGUED = {};

export async function audit() {
  const { output } = await run(STEP, 'npm', ['audit', '--json'], { capture: true });
  const judgement = judgeAudit(output, lockedPackages());
  for (const line of judgement.lines) say(STEP, line);
  return judgement;
}

/** Judges the output of `npm audit --json`. A registry that offers no audit makes it neither passed nor failed. */
export function judgeAudit(output, packages, argued = ARGUED) {
  const report = parsed(output);
  if (report.vulnerabilities === undefined) {
    const reason = `NOT RUN: ${report.message ?? 'npm audit printed no report'}`;
    return { passed: 0, failed: 0, notRun: reason, lines: [reason] };
  }
  const ships = ({ nodes }) => nodes.some((node) => packages[node]?.dev !== true);
  const refused = Object.values(report.vulnerabilities).filter(
    (found) =>
      argued[found.name] === undefined &&
      (ships(found) || REFUSED_IN_DEVELOPMENT.includes(found.severity)),
  );
  const lines = refused.map((found) => {
    const place = ships(found) ? 'ships' : 'development';
    return `✗ ${found.name} (${found.severity}, ${place}): ${advisoriesOf(found)}`;
  });
  return { passed: refused.length === 0 ? 1 : 0, failed: refused.length, lines };
}

function parsed(output) {
  try {
    return JSON.parse(output);
  } catch {
    return {};
  }
}

const advisoriesOf = ({ via }) =>
  via.map((each) => (typeof each === 'string' ? `through ${each}` : each.url)).join(', ');
