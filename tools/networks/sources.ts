/** Sources of each kind of fact, in the order of the document. */
export const FACT_SOURCES: readonly (readonly [fact: string, source: string])[] = [
  [
    'chain id, native currency, explorer, block time, Multicall3',
    'npm `viem`, module `viem/chains`; `definitions.spec.ts` and `networks.spec.ts` compare them',
  ],
  [
    'confirmations, finality',
    'our choice, deeper than past reorganisations ([chains](chains.md#add-a-chain))',
  ],
  [
    'tokens',
    'npm `@lifi/data-types` and `@bgd-labs/aave-address-book`, chosen in `tools/token-lists`; `token-lists.spec.ts` compares them',
  ],
  [
    'price feeds, sequencer feed',
    'Chainlink ([sequencers](https://docs.chain.link/data-feeds/l2-sequencer-feeds)); `token-lists.spec.ts` compares them with Aave’s address book',
  ],
  [
    'intent escrow',
    'deployed by the operator, at one address on all chains ([how](../libs/solidity/README.md#deploying))',
  ],
  [
    'CCTP domains, for the settings of our CCTP adapter contract',
    '[Circle](https://developers.circle.com/cctp); USDC of BNB Smart Chain is not part of it',
  ],
  [
    'sanctions oracle',
    'Chainalysis; several public code bases agree. Compare the address with the publisher’s page before use',
  ],
];

/** Sources of each venue's contracts, by its key in the definitions. */
export const VENUE_SOURCES: Readonly<Record<string, string>> = {
  uniswapV2: 'npm `@uniswap/sdk-core` 7.19.4',
  uniswapV3: 'npm `@uniswap/sdk-core` 7.19.4, and public configurations that agree with it',
  uniswapV4:
    'npm `@uniswap/sdk-core` 7.19.4; the router: `deploy-addresses` of Uniswap/universal-router and npm `@uniswap/universal-router-sdk` 5.13.0',
  'zero-x': '[0x.org/docs](https://0x.org/docs): Settler, AllowanceHolder and Permit2',
  lifi: '[docs.li.fi](https://docs.li.fi): Smart Contract Addresses, and the deployments of lifinance/contracts',
};

/** Domains of Circle's CCTP v2; a chain without one is neither origin nor destination. */
export const CCTP_DOMAINS: Readonly<Record<string, number>> = {
  ethereum: 0,
  avalanche: 1,
  optimism: 2,
  arbitrum: 3,
  base: 6,
  polygon: 7,
};
