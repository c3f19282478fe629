import { size, slice } from 'viem';
import type { Address, Hex } from 'viem';
import type { ChainView } from './chain.js';

/** Account without code, of a contract, or with code that a key has set (EIP-7702); that key can sign on every chain. */
export type AccountKind = 'codeless' | 'contract' | 'delegated';

/** Prefix of an EIP-7702 account's code. No contract's code begins with its first byte (EIP-3541). */
const DELEGATION = '0xef0100';
const WORD = 32;

/**
 * Program that a node runs like the creation of a contract. For each address after it, it returns a word: 1 where there is
 * code, else 0, then the first 31 bytes of the code.
 */
const PROGRAM = [
  '6035', // begin after the program: at = 53
  '5b', // next:
  '38811015602d57', // go to end unless at < codesize
  '60358103', // out = at - 53
  '6020828239', // copy the address to out
  '8051', // read it
  '803b15158253', // write 1 to out where it has code
  '601f600083600101833c5050', // copy 31 bytes of its code to out + 1
  '602001600256', // at += 32, go to next
  '5b60358103', // end: the length is at - 53
  '6000f3', // return
].join('');

/**
 * Tells which accounts have code, in one request for all of them.
 * @throws when the chain cannot be read
 */
export async function accountKinds(
  { client }: Pick<ChainView, 'client'>,
  addresses: readonly Address[],
): Promise<AccountKind[]> {
  if (addresses.length === 0) return [];
  const words = addresses.map((address) => address.slice(2).padStart(2 * WORD, '0'));
  const { data = '0x' } = await client.call({ data: `0x${PROGRAM}${words.join('')}` });
  if (size(data) !== WORD * addresses.length) {
    throw new Error(`expected ${addresses.length} accounts, but found ${size(data)} bytes`);
  }
  return addresses.map((_, index) => {
    const word = slice(data, WORD * index, WORD * (index + 1));
    return kindByCode(slice(word, 0, 1) === '0x00' ? undefined : slice(word, 1));
  });
}

/** Returns the kind of an account with this code, or with code that begins so. */
export function kindByCode(code: Hex | undefined): AccountKind {
  if (code === undefined) return 'codeless';
  return code.startsWith(DELEGATION) ? 'delegated' : 'contract';
}
