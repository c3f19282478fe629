import type { Issue, QuoteFailure } from '@bascule/contracts';

/** Failure to quote a route, with the responsible services. */
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

/** RPC failure of a chain: none of its legs can be quoted. */
export class ChainUnavailableFailure extends RouteFailure {}

export interface TimedFailure {
  failure: RouteFailure;
  latencyMs: number;
}

/** Merges failures per service: distinct issues, longest latency in whole milliseconds. */
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
    latency_seconds: Math.round(ms) / 1_000,
    issues: [...issues.values()],
  }));
}
