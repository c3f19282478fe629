/**
 * Files that ask one node of several (`chain.anyNode`), and why its lie does no harm there. All others ask several by the
 * functions of libs/chain (docs/adr/0022-one-nodes-word-decides-nothing.md).
 */
export const ONE_NODE_READS = {
  'libs/chain/src/chain.ts': 'defines it',
  'libs/chain/src/chain-view.ts': 'asks the others where that one refuses, or does not answer',
  'libs/venues/src/bridges/intent-escrow/order-state.ts':
    'believes it that an order waits for attesters, who are asked then; lists of balances show it',
  'libs/wallet-balances/src/token-balances.client.ts':
    'believes it that there is enough, which a simulation by two checks; lists of balances show it',
  'apps/payment/src/execution/wallet.client.ts':
    'believes it that a leg can start, which a simulation by two checks',
  'apps/payment/src/owners/owner-check.service.ts':
    'believes it that an owner is no contract: only a refusal that would protect that owner is missed',
  'apps/quote/src/sources/venue-quoter.service.ts':
    'believes quotes near the prices; legs convert at what two nodes reach',
  'apps/withdrawal/src/accounts/escrow/unreported-orders.client.ts':
    'shows orders that nothing else depends on',
  'apps/withdrawal/src/payments/owner-contract.client.ts': 'believes it that an owner can sign',
  'apps/withdrawal/src/payments/signing-owners.client.ts': 'believes it that owners can sign',
  // A party of its own for development.
  'apps/sandbox-provider/src/**': 'has one node',
};
