/**
 * Why a node did not take a transaction:
 * `known` it has it already; `nonce_used` something with this nonce is on chain; `underpriced` it offers too little;
 * `unfunded` the signer cannot pay for it; `invalid` no node will ever take these bytes; `unclear` anything else.
 */
export type BroadcastRefusal =
  'known' | 'nonce_used' | 'underpriced' | 'unfunded' | 'invalid' | 'unclear';

// What geth, reth, erigon, nethermind, besu and anvil say.
const PATTERNS: readonly (readonly [BroadcastRefusal, RegExp])[] = [
  ['known', /already known|already imported|known transaction|alreadyknown/i],
  ['nonce_used', /nonce too low|old ?nonce|nonce is too low|nonce has already been used/i],
  [
    'underpriced',
    /underpriced|fee ?too ?low|max fee per gas less than block base fee|feecap|fee cap less than|below.*minimum|gas price below/i,
  ],
  ['unfunded', /insufficient funds|insufficient balance|overshot|upfront cost exceeds/i],
  [
    'invalid',
    /intrinsic gas|exceeds block gas limit|gas limit (is )?too high|tip higher than|priority fee.*(higher|greater) than max fee|invalid (sender|chain id|signature)|max initcode|oversized|type not supported/i,
  ],
];

export function classifyRefusal(message: string): BroadcastRefusal {
  return PATTERNS.find(([, pattern]) => pattern.test(message))?.[0] ?? 'unclear';
}
