import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';

export type Resolve = (host: string) => Promise<LookupAddress[]>;

const NO_SUCH_RECORD = new Set(['ENODATA', 'ENOTFOUND']);

/**
 * Queries the name servers directly. The system lookup also resolves local names and search domains, and runs on the
 * few threads of the process, where one dead name server would block all organisations.
 */
export function hostResolver(options: { timeoutMs: number; servers?: string[] }): Resolve {
  const resolver = new Resolver({ timeout: options.timeoutMs, tries: 2 });
  if (options.servers !== undefined) resolver.setServers(options.servers);
  return async (host) => {
    const [v6, v4] = await Promise.allSettled([resolver.resolve6(host), resolver.resolve4(host)]);
    const found = [...addressesOf(v4, 4), ...addressesOf(v6, 6)];
    if (found.length > 0) return found;
    throw v4.status === 'rejected' && !isAbsence(v4.reason) ? v4.reason : notFound(host);
  };
}

const addressesOf = (result: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] =>
  result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : [];

const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;

const isAbsence = (error: unknown): boolean => NO_SUCH_RECORD.has(String(codeOf(error)));

const notFound = (host: string): Error =>
  Object.assign(new Error(`${host} has no address`), { code: 'ENOTFOUND' });
