import type { Issue, QuoteFailure } from '@bascule/contracts';

/** Why a route cannot be quoted, and whose doing that is. */
export class RouteFailure extends Error {
  constructor(
    readonly serviceIds: readonly string[],
    readonly issues: readonly Issue[],
    options?: ErrorOptions,
  ) {
    super(
      issues.map((issue) => ('message' in issue ? issue.message : issue.kind)).join('; '),
      options,
    );
    this.name = 'RouteFailure';
  }
}

/** Nothing on the chain can be quoted: it cannot be asked. */
export class SilentChainFailure extends RouteFailure {}

export interface TimedFailure {
  failure: RouteFailure;
  latencyMs: number;
}

/** One entry per service, with each of its issues once and the longest time it took. */
export function groupFailures(failures: readonly TimedFailure[]): QuoteFailure[] {
  const groups = new Map<string, { ids: string[]; issues: Map<string, Issue>; ms: number }>();
  for (const { failure, latencyMs } of failures) {
    const ids = [...failure.serviceIds];
    const group = groups.get(ids.join()) ?? { ids, issues: new Map<string, Issue>(), ms: 0 };
    groups.set(ids.join(), group);
    group.ms = Math.max(group.ms, latencyMs);
    for (const issue of failure.issues) group.issues.set(JSON.stringify(issue), issue);
  }
  return [...groups.values()].map(({ ids, issues, ms }) => ({
    service_ids: ids,
    latency_seconds: ms / 1_000,
    issues: [...issues.values()],
  }));
}
