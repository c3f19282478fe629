import { developmentAddresses } from '@bascule/solidity';
import { type Address, encodeFunctionData, erc20Abi, maxUint256, parseAbi, parseEther } from 'viem';
import { deployer, tokenHolders } from './development-accounts.js';
import { type DevelopmentClient, type PlannedTransaction, sendAll } from './development-client.js';
import { fillV2Pairs } from './fill-v2-pairs.js';
import { fillV4Pools } from './fill-v4-pools.js';
import { deposit } from './planned-transactions.js';
import { developmentPools, type Pool } from './pools.js';
import { balanceOf, filterAsync } from './reads.js';

const { positionManager, weth } = developmentAddresses;
const WETH_OF_A_HOLDER = parseEther('1000');

const poolAbi = parseAbi(['function liquidity() view returns (uint128)']);
const positionManagerAbi = parseAbi([
  'function multicall(bytes[] data) payable returns (bytes[] results)',
  'function createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 sqrtPriceX96) payable returns (address pool)',
  'struct MintParams { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }',
  'function mint(MintParams params) payable returns (uint256 tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)',
]);

/** Fills the pools that are empty and gives wrapped ether to the holders without any; returns the actions taken. */
export async function fundPools(client: DevelopmentClient): Promise<string[]> {
  const [emptyPools, poorHolders] = await Promise.all([
    filterAsync(developmentPools, (pool) => isEmpty(client, pool)),
    filterAsync(tokenHolders, (holder) => needsWeth(client, holder)),
  ]);
  const transactions = [
    ...poorHolders.map((holder) => deposit(holder, WETH_OF_A_HOLDER)),
    ...(await preparations(client, emptyPools)),
    ...emptyPools.map(fill),
    ...(await fillV2Pairs(client)),
    ...(await fillV4Pools(client)),
  ];
  await sendAll(client, transactions);
  return transactions.map(({ what }) => what);
}

async function isEmpty(client: DevelopmentClient, { address }: Pool): Promise<boolean> {
  const code = await client.getCode({ address });
  if (!code) return true;
  return (await client.readContract({ address, abi: poolAbi, functionName: 'liquidity' })) === 0n;
}

async function needsWeth(client: DevelopmentClient, holder: Address): Promise<boolean> {
  const [wrapped, native] = await Promise.all([
    balanceOf(client, weth, holder),
    client.getBalance({ address: holder }),
  ]);
  return wrapped === 0n && native > 2n * WETH_OF_A_HOLDER;
}

/** Wraps and approves the deployer's tokens for the pools. */
async function preparations(
  client: DevelopmentClient,
  pools: readonly Pool[],
): Promise<PlannedTransaction[]> {
  const sides = pools.flatMap(({ token0, token1 }) => [token0, token1]);
  const tokens = [...new Set(sides.map(({ token }) => token))];
  const wethNeeded = sides
    .filter(({ token }) => token === weth)
    .reduce((sum, { amount }) => sum + amount, 0n);
  const wethOwned = wethNeeded === 0n ? 0n : await balanceOf(client, weth, deployer);
  const toApprove = await filterAsync(
    tokens,
    async (address) =>
      (await client.readContract({
        address,
        abi: erc20Abi,
        functionName: 'allowance',
        args: [deployer, positionManager],
      })) === 0n,
  );
  return [
    ...(wethNeeded > wethOwned ? [deposit(deployer, wethNeeded - wethOwned)] : []),
    ...toApprove.map(approve),
  ];
}

function approve(token: Address): PlannedTransaction {
  const args = [positionManager, maxUint256] as const;
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args });
  return { what: `approval of ${token}`, from: deployer, to: token, data };
}

/** Creates the pool when it is not there, and puts liquidity over its whole range. */
function fill(pool: Pool): PlannedTransaction {
  const { token0, token1, fee, tickLower, tickUpper, sqrtPriceX96 } = pool;
  const create = encodeFunctionData({
    abi: positionManagerAbi,
    functionName: 'createAndInitializePoolIfNecessary',
    args: [token0.token, token1.token, fee, sqrtPriceX96],
  });
  const mint = encodeFunctionData({
    abi: positionManagerAbi,
    functionName: 'mint',
    args: [
      {
        token0: token0.token,
        token1: token1.token,
        fee,
        tickLower,
        tickUpper,
        amount0Desired: token0.amount,
        amount1Desired: token1.amount,
        amount0Min: 0n,
        amount1Min: 0n,
        recipient: deployer,
        deadline: maxUint256,
      },
    ],
  });
  return {
    what: `liquidity of ${pool.name}`,
    from: deployer,
    to: positionManager,
    data: encodeFunctionData({
      abi: positionManagerAbi,
      functionName: 'multicall',
      args: [[create, mint]],
    }),
  };
}
