import {
  BaseError,
  decodeAbiParameters,
  encodeFunctionData,
  erc20Abi,
  isAddressEqual,
  MethodNotFoundRpcError,
  MethodNotSupportedRpcError,
  numberToHex,
  size,
} from 'viem';
import type { Address, Hex, StateOverride } from 'viem';
import { createAccessList } from 'viem/actions';
import { COMMON_BALANCE_SLOTS } from './balance-slot.js';
import type { BalanceSlot } from './balance-slot.js';
import type { ChainView } from '../chain.js';
import { isNodeFailure } from './call-failure.js';
import { mergeStateOverrides } from './merge-state-overrides.js';
import { ZERO_ADDRESS } from '../zero-address.js';

/** An amount that an account holds in a simulation, in the token's smallest unit; the zero address is native currency. */
export interface Holding {
  account: Address;
  token: Address;
  amount: bigint;
}

/** The token computes balances in a way that no single storage slot decides. */
export class TokenNotOverridableError extends Error {
  constructor(
    readonly chain: string,
    readonly token: Address,
  ) {
    super(`balances of ${token} on ${chain} cannot be overridden in a simulation`);
    this.name = 'TokenNotOverridableError';
  }
}

type OverriddenChain = Pick<ChainView, 'name' | 'client'>;

/** Distinct values for all candidates, so that one call tells which of them is the balance. */
const FIRST_MARKER = 0x1_0000_0001n;
const PROBE: Address = '0x00000000000000000000000000000000ba5c01e1';
const MAX_ACCESSED_SLOTS = 32;

/** Slot computations by token; only tokens at usual positions are kept. */
const knownSlots = new WeakMap<OverriddenChain['client'], Map<string, BalanceSlot>>();

/**
 * Returns a state override for `eth_call` and `eth_estimateGas` in which each account holds the amount. Combine it with
 * others by {@link mergeStateOverrides}.
 * @throws TokenNotOverridableError when a token's balance is not a storage slot; errors of nodes are rethrown unchanged
 */
export async function holdingsOverride(
  chain: OverriddenChain,
  holdings: readonly Holding[],
): Promise<StateOverride> {
  return mergeStateOverrides(
    ...(await Promise.all(holdings.map((holding) => holdingOverride(chain, holding)))),
  );
}

async function holdingOverride(chain: OverriddenChain, holding: Holding): Promise<StateOverride> {
  const { account, token, amount } = holding;
  if (isAddressEqual(token, ZERO_ADDRESS)) return [{ address: account, balance: amount }];
  const slot = await usualSlot(chain, token);
  if (slot) return slotOverride(token, slot(account), amount);
  return accessedSlotOverride(chain, holding);
}

const slotOverride = (address: Address, slot: Hex, amount: bigint): StateOverride => [
  { address, stateDiff: [{ slot, value: numberToHex(amount, { size: 32 }) }] },
];

async function usualSlot(chain: OverriddenChain, token: Address): Promise<BalanceSlot | undefined> {
  const known = knownSlots.get(chain.client) ?? new Map<string, BalanceSlot>();
  knownSlots.set(chain.client, known);
  const found = known.get(token.toLowerCase());
  if (found) return found;

  const stateDiff = COMMON_BALANCE_SLOTS.map((slot, index) => ({
    slot: slot(PROBE),
    value: numberToHex(FIRST_MARKER + BigInt(index), { size: 32 }),
  }));
  const balance = await balanceUnder(chain, token, PROBE, [{ address: token, stateDiff }]);
  const slot =
    balance === undefined ? undefined : COMMON_BALANCE_SLOTS[Number(balance - FIRST_MARKER)];
  if (slot) known.set(token.toLowerCase(), slot);
  return slot;
}

/** Tries every slot that `balanceOf` reads. */
async function accessedSlotOverride(
  chain: OverriddenChain,
  { account, token, amount }: Holding,
): Promise<StateOverride> {
  for (const { address, slot } of await accessedSlots(chain, token, account)) {
    const override = slotOverride(address, slot, amount);
    if ((await balanceUnder(chain, token, account, override)) === amount) return override;
  }
  throw new TokenNotOverridableError(chain.name, token);
}

async function accessedSlots(
  { client }: OverriddenChain,
  token: Address,
  account: Address,
): Promise<{ address: Address; slot: Hex }[]> {
  try {
    const { accessList } = await createAccessList(client, {
      to: token,
      data: balanceOfData(account),
    });
    return accessList
      .flatMap(({ address, storageKeys }) => storageKeys.map((slot) => ({ address, slot })))
      .slice(0, MAX_ACCESSED_SLOTS);
  } catch (error) {
    if (!isMissingMethod(error) && isNodeFailure(error)) throw error;
    return [];
  }
}

/** Nodes need not offer access lists. */
const isMissingMethod = (error: unknown): boolean =>
  error instanceof BaseError &&
  error.walk(
    (cause) =>
      cause instanceof MethodNotFoundRpcError || cause instanceof MethodNotSupportedRpcError,
  ) !== null;

/** Returns undefined when the call reverts or returns no number. */
async function balanceUnder(
  { client }: OverriddenChain,
  token: Address,
  account: Address,
  stateOverride: StateOverride,
): Promise<bigint | undefined> {
  try {
    const { data } = await client.call({ to: token, data: balanceOfData(account), stateOverride });
    if (data === undefined || size(data) < 32) return undefined;
    return decodeAbiParameters([{ type: 'uint256' }], data)[0];
  } catch (error) {
    if (isNodeFailure(error)) throw error;
    return undefined;
  }
}

const balanceOfData = (account: Address): Hex =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [account] });
