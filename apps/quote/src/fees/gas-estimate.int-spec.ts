import { Chain, chainDefinitions } from '@bascule/chain';
import { developmentAccounts } from '@bascule/local-stack';
import {
  developmentAddresses,
  legCall,
  oneTimeWalletAddress,
  uuidToBytes16,
  weth9Abi,
  type Declaration,
} from '@bascule/solidity';
import { startTestChain, type TestChain } from '@bascule/testing';
import { bestQuote, createVenues } from '@bascule/venues';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import {
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  http,
  publicActions,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { legGas } from './gas-estimate.js';

const { converter, executor, oneTimeWalletFactory, usdc, usdt, wbtc, weth } = developmentAddresses;
const [faucet, , operator, , , , feeReceiver] = developmentAccounts;
const definition = chainDefinitions['alphanet'];
if (!definition) throw new Error('alphanet is not defined');

const connect = (rpcUrl: string, privateKey: Hex) =>
  createWalletClient({
    account: privateKeyToAccount(privateKey),
    transport: http(rpcUrl),
    pollingInterval: 50,
  }).extend(publicActions);

describe('the gas estimate', () => {
  let testChain: TestChain;
  let chain: Chain;

  beforeAll(async () => {
    testChain = await startTestChain();
    chain = new Chain({ definition, rpcUrls: [testChain.rpcUrl] });
    await wrap(10n ** 18n);
  });
  afterAll(() => testChain.stop());

  async function wrap(amount: bigint): Promise<void> {
    const client = connect(testChain.rpcUrl, faucet.privateKey);
    const data = encodeFunctionData({ abi: weth9Abi, functionName: 'deposit' });
    const hash = await client.sendTransaction({ chain: null, to: weth, value: amount, data });
    await client.waitForTransactionReceipt({ hash });
  }

  async function fund(token: Address, wallet: Address, amount: bigint): Promise<void> {
    const client = connect(testChain.rpcUrl, faucet.privateKey);
    const hash =
      token === zeroAddress
        ? await client.sendTransaction({ chain: null, to: wallet, value: amount })
        : await client.sendTransaction({
            chain: null,
            to: token,
            data: encodeFunctionData({
              abi: erc20Abi,
              functionName: 'transfer',
              args: [wallet, amount],
            }),
          });
    await client.waitForTransactionReceipt({ hash });
  }

  /** Deploys the wallet and executes its leg, as the payment service does; returns estimate and truth. */
  async function execute(inputToken: Address, outputToken: Address, amount: bigint) {
    const fee = amount / 100n;
    const amountIn = amount - fee;
    const quote =
      inputToken === outputToken
        ? null
        : await bestQuote(createVenues(), chain, { inputToken, outputToken, amountIn });
    const minOutput = ((quote?.amountOut ?? amountIn) * 995n) / 1_000n;
    const declaration: Declaration = {
      factory: oneTimeWalletFactory,
      paymentId: uuidToBytes16(uuidv7()),
      owner: faucet.address,
      executor,
      destination: `0x${uuidToBytes16(uuidv7()).slice(2)}00000000`,
      expiry: BigInt(Math.floor(Date.now() / 1_000) + 86_400),
      legs: [
        {
          chainId: 31337n,
          inputToken,
          maxInput: amount,
          fees: [{ receiver: feeReceiver.address, cap: fee }],
          outputToken,
          minOutput,
          customCalls: [],
          bridgeAdapter: zeroAddress,
          minBridged: 0n,
        },
      ],
    };
    await fund(inputToken, oneTimeWalletAddress(declaration), amount);
    const client = connect(testChain.rpcUrl, operator.privateKey);
    const calls = quote?.calls({ converter, minOutput }) ?? [];
    const call = legCall(declaration, { legIndex: 0, amount: amountIn, fees: [fee], calls });
    const hash = await client.sendTransaction({ chain: null, ...call });
    const receipt = await client.waitForTransactionReceipt({ hash });
    expect(receipt.status).toBe('success');
    return { estimate: legGas(quote?.gas ?? null), used: receipt.gasUsed };
  }

  it.each([
    ['a transfer', usdc, usdc, 100_000_000n],
    ['a transfer of native currency', zeroAddress, zeroAddress, 10n ** 18n],
    ['a conversion', usdc, weth, 100_000_000n],
    ['a conversion through two pools', usdt, wbtc, 100_000_000n],
    ['a conversion of native currency', zeroAddress, usdc, 10n ** 18n],
    ['a conversion to native currency', usdc, zeroAddress, 100_000_000n],
    ['wrapping', zeroAddress, weth, 10n ** 18n],
    ['unwrapping', weth, zeroAddress, 10n ** 17n],
  ])('covers %s, without asking for much more', async (_, input, output, amount) => {
    const { estimate, used } = await execute(input, output, amount);
    expect(estimate).toBeGreaterThanOrEqual(used);
    expect(estimate * 10n).toBeLessThanOrEqual(used * 15n);
  });
});
