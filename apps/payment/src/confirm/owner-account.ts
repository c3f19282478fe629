/** What a chain says of an owner: an account without code, or with an EIP-7702 delegation, signs by its key. */
export type OwnerAccount = 'key' | 'contract' | 'unreadable';

export interface Finding {
  chain: string;
  account: OwnerAccount;
}

export type OwnerChains =
  /** Signs on every chain. */
  | { kind: 'everywhere' }
  /** Is a contract, on these chains only; `missing` are those among the needed ones where it is not. */
  | { kind: 'contract'; chains: string[]; missing: string[] }
  /** `unreadable` do not say; it is a contract on `chains`, if any. */
  | { kind: 'unknown'; chains: string[]; unreadable: string[] };

const DELEGATION = /^0xef0100[0-9a-f]{40}$/i;

export const accountOf = (code: string | undefined): OwnerAccount =>
  code === undefined || code === '0x' || DELEGATION.test(code) ? 'key' : 'contract';

/**
 * Where an owner can sign. One contract anywhere makes a contract of the owner: elsewhere nobody may be able to put it,
 * and then nothing there could ever be recovered.
 * @param legs chains that the payment's money passes
 * @param asked those that have to answer: the legs' and whatever else the owner is said to operate on
 */
export function ownerChains(
  findings: readonly Finding[],
  { legs, asked }: { legs: ReadonlySet<string>; asked: ReadonlySet<string> },
): OwnerChains {
  const on = (account: OwnerAccount, among: (chain: string) => boolean = () => true) =>
    findings
      .filter((finding) => finding.account === account && among(finding.chain))
      .map(({ chain }) => chain);
  const chains = on('contract');
  const missing = chains.length > 0 ? on('key', (chain) => legs.has(chain)) : [];
  if (missing.length > 0) return { kind: 'contract', chains, missing };
  const unreadable = on('unreadable', (chain) => asked.has(chain));
  if (unreadable.length > 0) return { kind: 'unknown', chains, unreadable };
  return chains.length > 0 ? { kind: 'contract', chains, missing } : { kind: 'everywhere' };
}
