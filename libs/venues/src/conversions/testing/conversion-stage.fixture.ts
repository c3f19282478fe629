import { Chain, chainDefinitions } from '@bascule/chain';
import { developmentAccounts } from '@bascule/local-stack';
import { converterAbi, developmentAddresses, type Call } from '@bascule/solidity';
import { startTestChain } from '@bascule/testing';
import { expect } from '@jest/globals';
import {
  createTestClient,
  encodeFunctionData,
  erc20Abi,
  http,
  publicActions,
  walletActions,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

const { converter } = developmentAddresses;
const [faucet] = developmentAccounts;

/** Holds plenty of every token. */
export const FAUCET: Address = faucet.address;

/** Receives what the Converter pays out. */
export const RECIPIENT: Address = '0x00000000000000000000000000000000000000aa';

export interface Conversion {
  inputToken: Address;
  outputToken: Address;
  amountIn: bigint;
  minOutput: bigint;
  calls: readonly Call[];
}

const connect = (rpcUrl: string) =>
  createTestClient({
    mode: 'anvil',
    account: privateKeyToAccount(faucet.privateKey),
    transport: http(rpcUrl),
    pollingInterval: 50,
  })
    .extend(publicActions)
    .extend(walletActions);

export type ConversionStage = Awaited<ReturnType<typeof startConversionStage>>;

/** A chain with real pools, and a Converter that runs calls as a wallet makes it. */
export async function startConversionStage() {
  const definition = chainDefinitions['alphanet'];
  if (!definition) throw new Error('alphanet is not defined');
  const testChain = await startTestChain();
  const { rpcUrl } = testChain;
  const chain = new Chain({ definition, rpcUrls: [rpcUrl] });
  const client = connect(rpcUrl);

  const mined = async (hash: Hex): Promise<bigint> => {
    const receipt = await client.waitForTransactionReceipt({ hash });
    expect(receipt.status).toBe('success');
    return receipt.gasUsed;
  };

  /** Sends a transaction of the faucet. */
  const send = async (to: Address, data: Hex, value = 0n): Promise<bigint> =>
    // The first swap of a second writes the pool's oracle, which an estimate within that second misses.
    mined(await client.sendTransaction({ chain: null, to, data, value, gas: 15_000_000n }));

  const transfer = (token: Address, to: Address, amount: bigint): Promise<bigint> =>
    send(
      token,
      encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
    );

  const balance = (token: Address, owner: Address): Promise<bigint> =>
    token === zeroAddress
      ? client.getBalance({ address: owner })
      : client.readContract({
          address: token,
          abi: erc20Abi,
          functionName: 'balanceOf',
          args: [owner],
        });

  /** Allowance of the Converter. */
  const allowance = (token: Address, spender: Address): Promise<bigint> =>
    client.readContract({
      address: token,
      abi: erc20Abi,
      functionName: 'allowance',
      args: [converter, spender],
    });

  /** Converts what the Converter holds, or native currency that is sent along. Returns the gas. */
  async function convertHeld(o: Conversion): Promise<bigint> {
    const leg = {
      chainId: 31337n,
      inputToken: o.inputToken,
      maxInput: o.amountIn,
      fees: [],
      outputToken: o.outputToken,
      minOutput: o.minOutput,
      customCalls: [],
      bridgeAdapter: zeroAddress,
      minBridged: 0n,
    };
    const data = encodeFunctionData({
      abi: converterAbi,
      functionName: 'convert',
      args: [leg, RECIPIENT, o.calls],
    });
    return send(converter, data, o.inputToken === zeroAddress ? o.amountIn : 0n);
  }

  /** Converts as a wallet does it, but in two transactions. Returns the gas of the second. */
  async function convert(o: Conversion): Promise<bigint> {
    if (o.inputToken !== zeroAddress) await transfer(o.inputToken, converter, o.amountIn);
    return convertHeld(o);
  }

  const stop = (): Promise<void> => testChain.stop();
  return {
    rpcUrl,
    definition,
    chain,
    client,
    send,
    transfer,
    balance,
    allowance,
    convertHeld,
    convert,
    stop,
  };
}
