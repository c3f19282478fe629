import type { Address, Hex, StateOverride } from 'viem';

/** Override of one account; `state`, which replaces the whole storage, is not supported. */
interface AccountOverride {
  address: Address;
  balance?: bigint;
  nonce?: number;
  code?: Hex;
  stateDiff?: { slot: Hex; value: Hex }[];
}

/** Merges overrides into one with a single entry per address, as nodes require; later values win. */
export function mergeStateOverrides(...overrides: AccountOverride[][]): StateOverride {
  const merged = new Map<string, AccountOverride>();
  for (const entry of overrides.flat()) {
    const key = entry.address.toLowerCase();
    const former = merged.get(key);
    const stateDiff = [...(former?.stateDiff ?? []), ...(entry.stateDiff ?? [])];
    merged.set(key, { ...former, ...entry, ...(stateDiff.length > 0 && { stateDiff }) });
  }
  return [...merged.values()];
}
