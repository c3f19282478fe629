import type { ValidationError } from '@bascule/contracts';
import { customProblem, textAt, valueAt } from '../requests/unknown-names.js';
import { chainNameOf } from '../routes/route.js';
import { amountPaths } from './requested-amount.js';

const HOPS = 'hops';
/** Maximum number of chains between the first and the last one; each multiplies the routes. */
export const MAX_HOPS = 3;

/** Problems of the chains that a route has to pass through; other types are left to the DTO. */
export function hopProblems(body: unknown, chains: ReadonlySet<string>): ValidationError[] {
  const hops = valueAt(body, [HOPS]);
  if (!Array.isArray(hops) || hops.length > MAX_HOPS) return [];
  const { input, output } = amountPaths(valueAt(body, ['request', 'kind']));
  const first = chainNameOf(textAt(body, input) ?? '');
  const last = chainNameOf(textAt(body, output) ?? '');
  const problemOf = (hop: string, index: number): string | null => {
    if (!chains.has(hop)) return `Unknown chain ${hop}.`;
    if (hops.indexOf(hop) < index) return `The chain ${hop} is named twice.`;
    if (hop === first) return `The chain ${hop} is the first one of the route.`;
    return hop === last ? `The chain ${hop} is the last one of the route.` : null;
  };
  return hops.flatMap((hop: unknown, index) => {
    const problem = typeof hop === 'string' ? problemOf(hop, index) : null;
    return problem === null ? [] : [customProblem([HOPS, index], problem)];
  });
}
