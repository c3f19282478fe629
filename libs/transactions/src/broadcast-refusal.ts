/**
 * Reason why a node refused a transaction:
 * `known`: already in its pool; `nonce_used`: the nonce is used on chain; `underpriced`: fees too low;
 * `unfunded`: the signer's balance is too low; `invalid`: no node accepts these bytes; `unclear`: anything else.
 */
export type BroadcastRefusal =
  'known' | 'nonce_used' | 'underpriced' | 'unfunded' | 'invalid' | 'unclear';

// Messages of geth, reth, erigon, nethermind, besu and anvil.
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
