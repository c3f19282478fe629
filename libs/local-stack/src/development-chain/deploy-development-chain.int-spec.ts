import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  attesterOracleAbi,
  contractAddresses,
  type Declaration,
  declarationHash,
  developmentAddresses,
  executorAbi,
  intentEscrowAbi,
  legCall,
  oneTimeWalletAbi,
  oneTimeWalletAddress,
  oneTimeWalletFactoryAbi,
  priceFeedAbi,
  type ServiceAuthorization,
  serviceAuthorizationTypedData,
  uuidToBytes16,
  withdrawalNonce,
} from '@bascule/solidity';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Address,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  parseAbi,
  parseEventLogs,
  zeroAddress,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { type LocalChain, startAnvil } from '../anvil/start-anvil.js';
import { freePort } from '../ports.js';
import { deployDevelopmentChain } from './deploy-development-chain.js';
import { developmentAccounts } from './development-accounts.js';
import { developmentClient, type DevelopmentClient } from './development-client.js';
import { developmentV2Pairs } from './v2-pairs.js';
import { developmentV4Pools } from './v4-pools.js';

const CHAIN_ID = 31_998;
const {
  usdc,
  usdt,
  wbtc,
  weth,
  quoterV2,
  swapRouter02,
  priceFeeds,
  executor,
  intentEscrow,
  attesterOracle,
  stateView,
  v4PositionManager,
} = developmentAddresses;
const [
  faucet,
  deployer,
  operator,
  relayer,
  firstProvider,
  secondProvider,
  feeReceiver,
  solver,
  firstAttester,
  secondAttester,
  thirdAttester,
] = developmentAccounts;

const quoterAbi = parseAbi([
  'struct Params { address tokenIn; address tokenOut; uint256 amountIn; uint24 fee; uint160 sqrtPriceLimitX96; }',
  'function quoteExactInputSingle(Params params) returns (uint256 amountOut, uint160 sqrtPriceX96After, uint32 initializedTicksCrossed, uint256 gasEstimate)',
]);
const routerAbi = parseAbi([
  'struct Params { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(Params params) payable returns (uint256 amountOut)',
]);

const pairAbi = parseAbi(['function getReserves() view returns (uint112, uint112, uint32)']);
const stateViewAbi = parseAbi([
  'function getSlot0(bytes32 poolId) view returns (uint160, int24, uint24, uint24)',
  'function getLiquidity(bytes32 poolId) view returns (uint128)',
]);

const directory = mkdtempSync(join(tmpdir(), 'bascule-development-chain-'));
let chain: LocalChain;
let client: DevelopmentClient;

beforeAll(async () => {
  chain = await startAnvil({
    name: 'testnet',
    chainId: CHAIN_ID,
    port: await freePort(),
    stateFile: join(directory, 'testnet.json'),
  });
  client = developmentClient(chain.rpcUrl);
  await deployDevelopmentChain({ rpcUrl: chain.rpcUrl, chainId: CHAIN_ID });
});

afterAll(async () => {
  await chain.stop();
  rmSync(directory, { recursive: true, force: true });
});

describe('a development chain', () => {
  it('stays unchanged when everything is deployed', async () => {
    const messages: string[] = [];
    await deployDevelopmentChain({ rpcUrl: chain.rpcUrl, chainId: CHAIN_ID }, (message) =>
      messages.push(message),
    );
    expect(messages).toEqual([]);
  });

  it('is refused when the chain id differs', async () => {
    const wrong = { rpcUrl: chain.rpcUrl, chainId: CHAIN_ID + 1 };
    await expect(deployDevelopmentChain(wrong)).rejects.toThrow(`is chain ${CHAIN_ID}`);
  });

  it('is repaired when code is missing and refused when code differs', async () => {
    const address = priceFeeds.ethUsd;
    const code = await client.getCode({ address });
    if (!code) throw new Error('no price feed');
    await client.setCode({ address, bytecode: '0x00' });
    await expect(
      deployDevelopmentChain({ rpcUrl: chain.rpcUrl, chainId: CHAIN_ID }),
    ).rejects.toThrow(/ethUsd/);
    await client.setCode({ address, bytecode: code });
    await client.setCode({ address: developmentAddresses.multicall3, bytecode: '0x' });
    await deployDevelopmentChain({ rpcUrl: chain.rpcUrl, chainId: CHAIN_ID });
    expect(await client.getCode({ address: developmentAddresses.multicall3 })).toBeDefined();
  });

  it('holds enough of every token for the faucet and the providers', async () => {
    for (const { address } of [faucet, firstProvider, secondProvider]) {
      expect(await balanceOf(usdc, address)).toBeGreaterThan(10n ** 12n);
      expect(await balanceOf(usdt, address)).toBeGreaterThan(10n ** 12n);
      expect(await balanceOf(wbtc, address)).toBeGreaterThan(10n ** 10n);
      expect(await balanceOf(weth, address)).toBeGreaterThan(10n ** 20n);
    }
  });

  it('has the executor with its owner and operator', async () => {
    const contract = { address: executor, abi: executorAbi } as const;
    expect(await client.readContract({ ...contract, functionName: 'owner' })).toBe(
      deployer.address,
    );
    const args = [operator.address] as const;
    expect(await client.readContract({ ...contract, functionName: 'isOperator', args })).toBe(true);
  });

  it('has the escrow and its accepted attesters', async () => {
    const contract = { address: attesterOracle, abi: attesterOracleAbi } as const;
    expect(await client.readContract({ ...contract, functionName: 'threshold' })).toBe(2n);
    for (const { address } of [firstAttester, secondAttester, thirdAttester]) {
      const args = [address] as const;
      expect(await client.readContract({ ...contract, functionName: 'isAttester', args })).toBe(
        true,
      );
    }
    expect(
      await client.readContract({
        address: intentEscrow,
        abi: intentEscrowAbi,
        functionName: 'oracle',
      }),
    ).toBe(attesterOracle);
    expect(await balanceOf(usdc, solver.address)).toBeGreaterThan(10n ** 12n);
  });

  it('prices ether equally in feed and pools', async () => {
    const [, answer] = await client.readContract({
      address: priceFeeds.ethUsd,
      abi: priceFeedAbi,
      functionName: 'latestRoundData',
    });
    expect(answer).toBe(3_000n * 10n ** 8n);
    for (const fee of [500, 3000]) {
      const bought = await quote(usdc, weth, fee, 250n * 10n ** 6n);
      expect(Number(bought) / 1e18).toBeCloseTo((250 / 3_000) * (1 - fee / 1e6), 4);
    }
  });

  it('has the reserves of every pair of Uniswap V2', async () => {
    for (const { address, token0, token1 } of developmentV2Pairs) {
      const [reserve0, reserve1] = await client.readContract({
        address,
        abi: pairAbi,
        functionName: 'getReserves',
      });
      expect([reserve0, reserve1]).toEqual([token0.amount, token1.amount]);
    }
  });

  it('has every pool of Uniswap V4 at its price, and no tokens left with the position manager', async () => {
    for (const { id, sqrtPriceX96, token0, token1 } of developmentV4Pools) {
      const read = { address: stateView, abi: stateViewAbi, args: [id] } as const;
      const [price] = await client.readContract({ ...read, functionName: 'getSlot0' });
      expect(price).toBe(sqrtPriceX96);
      expect(await client.readContract({ ...read, functionName: 'getLiquidity' })).toBeGreaterThan(
        0n,
      );
      for (const { token } of [token0, token1].filter((side) => side.token !== zeroAddress)) {
        expect(await balanceOf(token, v4PositionManager)).toBe(0n);
      }
    }
    expect(await client.getBalance({ address: v4PositionManager })).toBe(0n);
  });
});

describe('a payment on a development chain', () => {
  it('is converted through Uniswap and paid out', async () => {
    const destination: Address = '0x00000000000000000000000000000000000d0001';
    const amount = 100n * 10n ** 6n;
    const fee = 10n ** 6n;
    const expected = await quote(usdc, weth, 500, amount);
    const declaration = aDeclaration({ destination, maxInput: amount + fee, minOutput: expected });
    const wallet = oneTimeWalletAddress(declaration);
    expect(
      await client.readContract({
        address: contractAddresses.oneTimeWalletFactory,
        abi: oneTimeWalletFactoryAbi,
        functionName: 'predict',
        args: [declarationHash(declaration)],
      }),
    ).toBe(wallet);

    await send(faucet.privateKey, usdc, transfer(wallet, amount + fee));
    const execution = legCall(declaration, {
      legIndex: 0,
      amount,
      fees: [fee],
      calls: swapCalls(amount, expected),
    });
    const receipt = await send(operator.privateKey, execution.to, execution.data);

    expect(await balanceOf(weth, destination)).toBe(expected);
    expect(await balanceOf(usdc, feeReceiver.address)).toBe(fee);
    expect(await balanceOf(usdc, wallet)).toBe(0n);
    const [log] = parseEventLogs({
      abi: oneTimeWalletAbi,
      logs: receipt.logs,
      eventName: 'LegExecuted',
    });
    expect(log?.args).toEqual({ leg: 0n, amount, fees: [fee], output: expected });
  });

  it('refunds on the signature of the owner', async () => {
    const owner = privateKeyToAccount(`0x${'07'.repeat(32)}`);
    const amount = 40n * 10n ** 6n;
    const declaration = aDeclaration({ owner: owner.address, maxInput: amount, minOutput: 1n });
    const wallet = oneTimeWalletAddress(declaration);
    await send(faucet.privateKey, usdc, transfer(wallet, amount));

    const { timestamp } = await client.getBlock();
    const authorization: ServiceAuthorization = {
      description: 'Return 40 USDC to its owner',
      actions: [{ target: usdc, data: transfer(owner.address, amount), value: 0n }],
      nonce: withdrawalNonce('0190b2c3-d4e5-7f60-a1b2-c3d4e5f60718', timestamp + 1_800n),
      signatory_declaration_hash: declarationHash(declaration),
      chain_id: BigInt(CHAIN_ID),
      accept_blame: true,
    };
    const signature = await owner.signTypedData({
      ...serviceAuthorizationTypedData(authorization),
    });
    const deployment = encodeFunctionData({
      abi: oneTimeWalletFactoryAbi,
      functionName: 'deploy',
      args: [declarationHash(declaration)],
    });
    await send(relayer.privateKey, contractAddresses.oneTimeWalletFactory, deployment);
    const withdrawal = encodeFunctionData({
      abi: oneTimeWalletAbi,
      functionName: 'withdraw',
      args: [declaration, authorization, signature],
    });
    await send(relayer.privateKey, wallet, withdrawal);

    expect(await balanceOf(usdc, owner.address)).toBe(amount);
    const contract = { address: wallet, abi: oneTimeWalletAbi } as const;
    const args = [authorization.nonce] as const;
    expect(await client.readContract({ ...contract, functionName: 'nonceUsed', args })).toBe(true);
    expect(await client.readContract({ ...contract, functionName: 'executorEnded' })).toBe(true);
  });
});

function aDeclaration(values: {
  owner?: Address;
  destination?: Address;
  maxInput: bigint;
  minOutput: bigint;
}): Declaration {
  return {
    factory: contractAddresses.oneTimeWalletFactory,
    paymentId: uuidToBytes16('0190b2c3-d4e5-7f60-a1b2-c3d4e5f60718'),
    owner: values.owner ?? faucet.address,
    executor,
    destination: values.destination ?? faucet.address,
    expiry: 4_000_000_000n,
    legs: [
      {
        chainId: BigInt(CHAIN_ID),
        inputToken: usdc,
        maxInput: values.maxInput,
        fees: [{ receiver: feeReceiver.address, cap: 10n ** 6n }],
        outputToken: weth,
        minOutput: values.minOutput,
        customCalls: [],
        bridgeAdapter: zeroAddress,
        minBridged: 0n,
      },
    ],
  };
}

function swapCalls(amountIn: bigint, amountOutMinimum: bigint) {
  const approve = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'approve',
    args: [swapRouter02, amountIn],
  });
  const swap = encodeFunctionData({
    abi: routerAbi,
    functionName: 'exactInputSingle',
    args: [
      {
        tokenIn: usdc,
        tokenOut: weth,
        fee: 500,
        recipient: contractAddresses.converter,
        amountIn,
        amountOutMinimum,
        sqrtPriceLimitX96: 0n,
      },
    ],
  });
  return [
    { target: usdc, data: approve, value: 0n },
    { target: swapRouter02, data: swap, value: 0n },
  ] as const;
}

async function quote(tokenIn: Address, tokenOut: Address, fee: number, amountIn: bigint) {
  const { result } = await client.simulateContract({
    address: quoterV2,
    abi: quoterAbi,
    functionName: 'quoteExactInputSingle',
    args: [{ tokenIn, tokenOut, amountIn, fee, sqrtPriceLimitX96: 0n }],
  });
  return result[0];
}

function transfer(to: Address, amount: bigint): Hex {
  return encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] });
}

function balanceOf(token: Address, account: Address): Promise<bigint> {
  return client.readContract({
    address: token,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [account],
  });
}

async function send(privateKey: Hex, to: Address, data: Hex) {
  const account = privateKeyToAccount(privateKey);
  const wallet = createWalletClient({ account, transport: http(chain.rpcUrl) });
  const hash = await wallet.sendTransaction({ to, data, chain: null });
  const receipt = await client.waitForTransactionReceipt({ hash, pollingInterval: 20 });
  expect(receipt.status).toBe('success');
  return receipt;
}
