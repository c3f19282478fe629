import type { Chain } from '@bascule/chain';
import { parseTokenIdentifier } from '@bascule/contracts';
import type { TokenIdentifier } from '@bascule/contracts';
import { developmentAccounts } from '@bascule/local-stack';
import { reorganise, reorganiseFrom, setDataFee, type TestChain } from '@bascule/testing';
import {
  createTestClient,
  createWalletClient,
  erc20Abi,
  getAddress,
  http,
  publicActions,
  zeroAddress,
} from 'viem';
import type { Address, Hash } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { PrivateKeyAccount } from 'viem/accounts';

const [faucet] = developmentAccounts;

const testClient = (rpcUrl: string) =>
  createTestClient({ mode: 'anvil', transport: http(rpcUrl), cacheTime: 0 }).extend(publicActions);

/** A real chain under a test's control. */
export class ChainUnderTest {
  readonly node: ReturnType<typeof testClient>;

  constructor(
    readonly chain: Chain,
    private readonly running: TestChain,
  ) {
    this.node = testClient(running.rpcUrl);
  }

  stop(): Promise<void> {
    return this.running.stop();
  }

  /** Sets the data fee, as of a rollup; returns the oracle's address. */
  setDataFee(weiPerByte: bigint): Promise<Address> {
    return setDataFee(this.running.rpcUrl, weiPerByte);
  }

  balance(token: TokenIdentifier, holder: string): Promise<bigint> {
    const { address } = parseTokenIdentifier(token);
    return address === zeroAddress
      ? this.node.getBalance({ address: getAddress(holder) })
      : this.node.readContract({
          address,
          abi: erc20Abi,
          functionName: 'balanceOf',
          args: [getAddress(holder)],
        });
  }

  /** Sends from the faucet, and mines until the transaction is final. */
  async send(token: TokenIdentifier, to: string, amount: bigint): Promise<Hash> {
    const hash = await this.submit(token, to, amount);
    await this.mined(hash);
    const further = this.chain.definition.confirmations - 1;
    if (further > 0) await this.node.mine({ blocks: further });
    return hash;
  }

  /** Sends from the faucet into the mempool. */
  submit(token: TokenIdentifier, to: string, amount: bigint): Promise<Hash> {
    const wallet = this.wallet(privateKeyToAccount(faucet.privateKey));
    const { address } = parseTokenIdentifier(token);
    return address === zeroAddress
      ? wallet.sendTransaction({ to: getAddress(to), value: amount })
      : wallet.writeContract({
          address,
          abi: erc20Abi,
          functionName: 'transfer',
          args: [getAddress(to), amount],
          // A leg may empty the receiver after an estimate, and the transfer then costs more gas.
          gas: 100_000n,
        });
  }

  async mined(hash: Hash): Promise<void> {
    const { status } = await this.node.waitForTransactionReceipt({ hash, pollingInterval: 50 });
    if (status !== 'success') throw new Error(`${hash} reverted`);
  }

  /** Stops mining. */
  async stopMining(): Promise<void> {
    await this.node.setIntervalMining({ interval: 0 });
    await this.node.setAutomine(false);
  }

  async resumeMining(): Promise<void> {
    await this.node.setAutomine(true);
    await this.node.setIntervalMining({ interval: 1 });
  }

  /** Replaces the last blocks by empty ones. */
  reorganise(depth: number): Promise<void> {
    return reorganise(this.running.rpcUrl, depth);
  }

  reorganiseFrom(block: bigint): Promise<void> {
    return reorganiseFrom(this.running.rpcUrl, block);
  }

  /** Moves the chain's clock forward, and mines a block. */
  async letTimePass(seconds: number): Promise<void> {
    await this.node.increaseTime({ seconds });
    await this.node.mine({ blocks: 1 });
  }

  wallet(account: PrivateKeyAccount) {
    const { chain } = this.chain.anyNode.client;
    return createWalletClient({
      account,
      chain,
      transport: http(chain.rpcUrls.default.http[0]),
      cacheTime: 0,
    });
  }
}
