import { concat, encodeAbiParameters, hexToBigInt, keccak256, numberToHex, toHex } from 'viem';
import type { Address, Hex } from 'viem';

/** Computes the storage slot of an account's balance. */
export type BalanceSlot = (account: Address) => Hex;

const PLAIN_POSITIONS = [...Array.from({ length: 64 }, (_, index) => BigInt(index)), 101n, 151n];
const VYPER_POSITIONS = Array.from({ length: 16 }, (_, index) => BigInt(index));

/** Position of a storage struct of OpenZeppelin's upgradeable contracts (ERC-7201). */
function namespacedPosition(namespace: string): bigint {
  const inner = hexToBigInt(keccak256(toHex(namespace))) - 1n;
  return hexToBigInt(keccak256(numberToHex(inner, { size: 32 }))) & ~0xffn;
}

const pair = (first: Hex, second: Hex): Hex => keccak256(concat([first, second]));
const word = (position: bigint): Hex => numberToHex(position, { size: 32 });
const padded = (account: Address): Hex => encodeAbiParameters([{ type: 'address' }], [account]);

/** Slots of `mapping(address => uint256)` at the usual positions, as Solidity and Vyper compute them. */
export const COMMON_BALANCE_SLOTS: readonly BalanceSlot[] = [
  ...[...PLAIN_POSITIONS, namespacedPosition('openzeppelin.storage.ERC20')].map(
    (position): BalanceSlot =>
      (account) =>
        pair(padded(account), word(position)),
  ),
  ...VYPER_POSITIONS.map(
    (position): BalanceSlot =>
      (account) =>
        pair(word(position), padded(account)),
  ),
];
