import type { OwnerIssue } from '@bascule/contracts';

/** Type of the owner's account on a chain: one without code, or with an EIP-7702 delegation, is a key. */
export type OwnerAccount = 'key' | 'contract' | 'unreadable';

export interface Finding {
  chain: string;
  account: OwnerAccount;
}

export type OwnerChains =
  /** A key, which signs on every chain. */
  | { kind: 'everywhere' }
  /** A contract on `chains` only; `missing` are the payment's chains without it. */
  | { kind: 'contract'; chains: string[]; missing: string[] }
  /** `unreadable` chains did not answer; `chains`, if any, have the contract. */
  | { kind: 'unknown'; chains: string[]; unreadable: string[] };

/** Chains on which an owner without a key has to be able to sign. */
export interface OwnerSigningChains {
  /** Chain whose contract answers for the message. */
  signing: string;
  /** Further chains on which the contract has to exist, or to be deployed by the signature. */
  others: readonly string[];
}

const DELEGATION = /^0xef0100[0-9a-f]{40}$/i;

/** Whether an account's code is an EIP-7702 delegation. */
export const isDelegation = (code: string | undefined): boolean =>
  code !== undefined && DELEGATION.test(code);

export const accountOf = (code: string | undefined): OwnerAccount =>
  code === undefined || code === '0x' || isDelegation(code) ? 'key' : 'contract';

/**
 * Chains on which an owner can sign. A contract on one chain makes the owner a contract everywhere: on a chain where it
 * cannot be deployed, money could never be recovered.
 * @param legs chains of the payment's legs
 * @param asked chains that have to answer: the legs' and the given `owner_chain`
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

/**
 * Chain whose contract answers for an owner that does not sign with a key.
 * @param contractChains chains on which the owner is a contract; null for a key or an account not deployed yet
 */
export const signingChain = (
  ownerChain: string,
  contractChains: readonly string[] | null,
): string =>
  contractChains === null || contractChains.includes(ownerChain)
    ? ownerChain
    : (contractChains[0] ?? ownerChain);

/** Refuses a contract for its fault on these chains, if any. */
export const contractIssues = (chains: readonly string[], fault: string): OwnerIssue[] =>
  chains.length === 0
    ? []
    : [
        {
          kind: 'owner',
          message: `The owner is a contract that ${fault} on ${chains.join(', ')}.`,
          mitigation: 'change',
        },
      ];
