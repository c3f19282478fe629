import { OperatorError } from '@bascule/operator-commands';
import { ConfigurationError, TimeoutError, withTimeout, withUrlOrigins } from '@bascule/process';
import { ProviderError } from '@bascule/providers';
import type { Deployment } from './deployment.js';
import { unknown, type Check, type Finding, type Outcome, type Probe } from './finding.js';

/** Longest time of one probe; a check has as many as it has subjects, all at once. */
const PROBE_TIMEOUT_MS = 60_000;

/** Runs all probes of all checks; one that fails or times out is a finding and hides no other. */
export async function runChecks(
  checks: readonly Check[],
  deployment: Deployment,
  timeoutMs = PROBE_TIMEOUT_MS,
): Promise<readonly Finding[]> {
  const findings = await Promise.all(
    checks.map(async (check) => {
      const probes = probesOf(check, deployment);
      const outcomes = await Promise.all(probes.map((probe) => run(probe, timeoutMs)));
      return outcomes.flat().map((outcome) => ({ check: check.name, ...outcome }));
    }),
  );
  return findings.flat();
}

/** Probes of a check; one probe that fails where they cannot be listed. */
function probesOf(check: Check, deployment: Deployment): readonly Probe[] {
  try {
    return check.probes(deployment);
  } catch (error) {
    const outcome = unreadable(error);
    return [{ subject: 'all', read: async () => [outcome] }];
  }
}

async function run(
  { subject, read }: Probe,
  timeoutMs: number,
): Promise<readonly Omit<Finding, 'check'>[]> {
  const outcomes = await withTimeout(timeoutMs, read).catch(
    (error: unknown): readonly Outcome[] => [unreadable(error)],
  );
  return outcomes.map((outcome) => ({ subject, ...outcome }));
}

const unreadable = (error: unknown): Outcome =>
  unknown(explanation(error), 'could not be read: try again, or look into the cause');

/** Messages of these errors are our own; any other may contain a secret or a text of another party. */
const OWN_ERRORS = [OperatorError, ConfigurationError, ProviderError, TimeoutError];

const explanation = (error: unknown): string => {
  if (!(error instanceof Error)) return 'failed';
  return OWN_ERRORS.some((own) => error instanceof own)
    ? withUrlOrigins(error.message)
    : error.name;
};

export const isSound = (findings: readonly Finding[]): boolean =>
  findings.length > 0 && findings.every(({ state }) => state === 'ok');
