// Deployments of a development chain beyond the contracts of every chain.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { encodeAbiParameters } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';

const require = createRequire(import.meta.url);
const MNEMONIC = 'test test test test test test test test test test test junk';
const account = (addressIndex) => mnemonicToAccount(MNEMONIC, { addressIndex }).address;

const OWNER = account(1);
const OPERATORS = [account(2)];
const SOLVER = account(7);
const ATTESTERS = [account(8), account(9), account(10)].sort((a, b) =>
  a.toLowerCase() < b.toLowerCase() ? -1 : 1,
);
const ATTESTERS_NEEDED = 2n;
const HOLDERS = [account(0), OWNER, account(4), account(5), SOLVER];
const CHAIN_IDS = [31_337n, 31_338n];
const FILL_WINDOW_SECONDS = 120n;
/** Longer than ten minutes, for which a chain may stall without loss. */
const SETTLE_WINDOW_SECONDS = 1_800n;
/** In USDC's smallest unit. */
const ORDER_CAP = 100_000n * 10n ** 6n;
const OUTSTANDING_CAP = 1_000_000n * 10n ** 6n;
const NOBODY = '0x0000000000000000000000000000000000000000';

const npmArtifacts = {
  weth: '@uniswap/v2-periphery/build/WETH9.json',
  uniswapV3Factory:
    '@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json',
  positionManager:
    '@uniswap/v3-periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager.json',
  quoterV2: '@uniswap/v3-periphery/artifacts/contracts/lens/QuoterV2.sol/QuoterV2.json',
  swapRouter02:
    '@uniswap/swap-router-contracts/artifacts/contracts/SwapRouter02.sol/SwapRouter02.json',
  uniswapV2Factory: '@uniswap/v2-core/build/UniswapV2Factory.json',
  uniswapV2Router02: '@uniswap/v2-periphery/build/UniswapV2Router02.json',
  poolManager: '@uniswap/v4-periphery/foundry-out/PoolManager.sol/PoolManager.default.json',
  v4Quoter: '@uniswap/v4-periphery/foundry-out/V4Quoter.sol/V4Quoter.json',
  stateView: '@uniswap/v4-periphery/foundry-out/StateView.sol/StateView.json',
  v4PositionManager: '@uniswap/v4-periphery/foundry-out/PositionManager.sol/PositionManager.json',
  universalRouter:
    '@uniswap/universal-router/artifacts/contracts/UniversalRouter.sol/UniversalRouter.json',
};

const NO_HASH = `0x${'0'.repeat(64)}`;
/** Gas that a position of Uniswap V4 keeps for the end of a subscription. */
const UNSUBSCRIBE_GAS = 300_000n;

export function npmArtifact(path) {
  const { abi, bytecode } = JSON.parse(readFileSync(require.resolve(path), 'utf8'));
  const code = bytecode.object ?? bytecode;
  return { abi, bytecode: code.startsWith('0x') ? code : `0x${code}` };
}

function constructorArguments(abi, values) {
  const constructor = abi.find((entry) => entry.type === 'constructor');
  return constructor ? encodeAbiParameters(constructor.inputs, values) : '0x';
}

/** Settings of a router for Uniswap V4 alone: without Permit2, other versions' pools and a bridge. */
const v4RouterParameters = ({ weth, poolManager }) => ({
  permit2: NOBODY,
  weth9: weth,
  v2Factory: NOBODY,
  v3Factory: NOBODY,
  pairInitCodeHash: NO_HASH,
  poolInitCodeHash: NO_HASH,
  v4PoolManager: poolManager,
  v3NFTPositionManager: NOBODY,
  v4PositionManager: NOBODY,
  spokePool: NOBODY,
});

/** Places the deployments in dependency order. */
export function developmentDeployments(built, place) {
  const own = (name, contract, values) => {
    const { abi, bytecode } = built(contract);
    return place({ name, bytecode, constructorArguments: constructorArguments(abi, values) });
  };
  const fromNpm = (name, values, { hasChainId = false } = {}) => {
    const artifact = npmArtifacts[name];
    const { abi, bytecode } = npmArtifact(artifact);
    return place({
      name,
      artifact,
      bytecode,
      constructorArguments: constructorArguments(abi, values),
      hasChainId,
    });
  };
  const feed = (name, description, dollars) =>
    own(name, 'DevelopmentPriceFeed', [description, dollars * 10n ** 8n, OWNER]);

  own('executor', 'Executor', [OWNER, OPERATORS]);
  const usdc = own('usdc', 'DevelopmentToken', ['USD Coin', 'USDC', 6, OWNER, HOLDERS, 10n ** 15n]);
  own('usdt', 'DevelopmentTether', [OWNER, HOLDERS, 10n ** 15n]);
  own('wbtc', 'DevelopmentToken', ['Wrapped BTC', 'WBTC', 8, OWNER, HOLDERS, 10n ** 14n]);
  own('usdcVault', 'DevelopmentVault', ['Vault of USD Coin', 'vUSDC', usdc]);
  const oracle = own('attesterOracle', 'AttesterOracle', [ATTESTERS, ATTESTERS_NEEDED]);
  const escrowed = CHAIN_IDS.map((chainId) => ({
    chainId,
    token: usdc,
    orderCap: ORDER_CAP,
    outstandingCap: OUTSTANDING_CAP,
  }));
  own('intentEscrow', 'IntentEscrow', [
    FILL_WINDOW_SECONDS,
    SETTLE_WINDOW_SECONDS,
    oracle,
    escrowed,
  ]);
  own('sanctionsList', 'DevelopmentSanctionsList', [OWNER]);
  feed('ethUsd', 'ETH / USD', 3_000n);
  feed('btcUsd', 'BTC / USD', 100_000n);
  feed('usdcUsd', 'USDC / USD', 1n);
  feed('usdtUsd', 'USDT / USD', 1n);

  const weth = fromNpm('weth', []);
  const uniswapV3Factory = fromNpm('uniswapV3Factory', []);
  const positionManager = fromNpm('positionManager', [uniswapV3Factory, weth, NOBODY]);
  fromNpm('quoterV2', [uniswapV3Factory, weth]);
  fromNpm('swapRouter02', [NOBODY, uniswapV3Factory, positionManager, weth]);
  own('zeroXAllowanceHolder', 'DevelopmentAggregator', ['0x AllowanceHolder', OWNER]);
  own('lifiDiamond', 'DevelopmentAggregator', ['LI.FI Diamond', OWNER]);

  own('dai', 'DevelopmentToken', ['Dai Stablecoin', 'DAI', 18, OWNER, HOLDERS, 10n ** 27n]);
  own('eurc', 'DevelopmentToken', ['EURC', 'EURC', 6, OWNER, HOLDERS, 10n ** 15n]);
  const uniswapV2Factory = fromNpm('uniswapV2Factory', [NOBODY]);
  fromNpm('uniswapV2Router02', [uniswapV2Factory, weth]);
  const poolManager = fromNpm('poolManager', [NOBODY]);
  fromNpm('v4Quoter', [poolManager]);
  fromNpm('stateView', [poolManager]);
  const positions = [poolManager, NOBODY, UNSUBSCRIBE_GAS, NOBODY, weth];
  fromNpm('v4PositionManager', positions, { hasChainId: true });
  const router = [v4RouterParameters({ weth, poolManager })];
  fromNpm('universalRouter', router, { hasChainId: true });
}
