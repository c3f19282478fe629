import type { UniswapV2Deployment } from '@bascule/chain';
import { encodePacked, getContractAddress, keccak256, type Address } from 'viem';
import type { TokenPair } from '../venue.js';

/** Orders two tokens as their pair does: the lower address is its first token. */
export const ordered = ([a, b]: TokenPair): TokenPair => (BigInt(a) < BigInt(b) ? [a, b] : [b, a]);

/** Address of the pair of two tokens, whether it exists or not. */
export const pairAddress = (
  { factory, pairInitCodeHash }: Pick<UniswapV2Deployment, 'factory' | 'pairInitCodeHash'>,
  tokens: TokenPair,
): Address =>
  getContractAddress({
    opcode: 'CREATE2',
    from: factory,
    salt: keccak256(encodePacked(['address', 'address'], [...ordered(tokens)])),
    bytecodeHash: pairInitCodeHash,
  });
