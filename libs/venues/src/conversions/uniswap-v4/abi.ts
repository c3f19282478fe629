import { parseAbi, parseAbiParameters } from 'viem';

const POOL_KEY =
  'struct PoolKey { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }';
const PATH_KEY =
  'struct PathKey { address intermediateCurrency; uint24 fee; int24 tickSpacing; address hooks; bytes hookData; }';

export const stateViewAbi = parseAbi([
  'function getLiquidity(bytes32 poolId) view returns (uint128 liquidity)',
]);

/** V4Quoter is not a view, but is made to be called with eth_call. */
export const v4QuoterAbi = parseAbi([
  PATH_KEY,
  'struct QuoteExactParams { address exactCurrency; PathKey[] path; uint128 exactAmount; }',
  'function quoteExactInput(QuoteExactParams params) returns (uint256 amountOut, uint256 gasEstimate)',
  'function quoteExactOutput(QuoteExactParams params) returns (uint256 amountIn, uint256 gasEstimate)',
]);

export const universalRouterAbi = parseAbi([
  'function execute(bytes commands, bytes[] inputs) payable',
]);

/** Key of a pool; its hash is the pool's id. */
export const poolKeyParameters = parseAbiParameters(['PoolKey key', POOL_KEY]);

/** Parameters of the router's commands, and of the actions of its command `v4Swap`. */
export const routerParameters = {
  wrap: parseAbiParameters('address recipient, uint256 amount'),
  unwrap: parseAbiParameters('address recipient, uint256 amountMinimum'),
  v4Swap: parseAbiParameters('bytes actions, bytes[] parameters'),
  settle: parseAbiParameters('address currency, uint256 amount, bool payerIsUser'),
  swapExactInput: parseAbiParameters([
    'ExactInputParams params',
    'struct ExactInputParams { address currencyIn; PathKey[] path; uint256[] minHopPriceX36; uint128 amountIn; uint128 amountOutMinimum; }',
    PATH_KEY,
  ]),
  take: parseAbiParameters('address currency, address recipient, uint256 amount'),
};
