import { developmentAddresses } from '@bascule/solidity';
import type { Address } from 'viem';

export interface SoldToken {
  symbol: string;
  decimals: number;
  contract: Address;
  /** Pair of the chain's price feed. */
  priceFeed: string;
  /** Gas of a transfer to an account without a balance. */
  transferGas: bigint;
}

/** Development chains have the same tokens at the same addresses. */
export const SOLD_TOKENS: readonly SoldToken[] = [
  {
    symbol: 'USDC',
    decimals: 6,
    contract: developmentAddresses.usdc,
    priceFeed: 'usdc/usd',
    transferGas: 56_000n,
  },
];

export const soldToken = (contract: string): SoldToken | undefined =>
  SOLD_TOKENS.find((token) => token.contract.toLowerCase() === contract.toLowerCase());
