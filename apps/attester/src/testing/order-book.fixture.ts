import { developmentAccounts } from '@bascule/local-stack';
import { developmentAddresses, intentEscrowAbi, type Order } from '@bascule/solidity';
import type { TestChain } from '@bascule/testing';
import {
  createTestClient,
  erc20Abi,
  getAddress,
  type Hex,
  http,
  maxUint256,
  parseEventLogs,
  publicActions,
  walletActions,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

const { usdc, intentEscrow } = developmentAddresses;
const wallet = developmentAccounts[0];
export const solver = developmentAccounts[7];

export type ChainPlayer = ReturnType<typeof playOn>;

/** A chain as one account uses it, and as its miner moves it. */
export function playOn({ rpcUrl }: TestChain, privateKey: Hex) {
  return createTestClient({
    mode: 'anvil',
    account: privateKeyToAccount(privateKey),
    transport: http(rpcUrl),
    pollingInterval: 50,
    cacheTime: 0,
  })
    .extend(publicActions)
    .extend(walletActions);
}

/** Orders as wallets open them and a solver fills them, on two chains. */
export class OrderBook {
  readonly origin: ChainPlayer;
  readonly destination: ChainPlayer;

  constructor(
    origin: TestChain,
    private readonly destinationChain: TestChain,
  ) {
    this.origin = playOn(origin, wallet.privateKey);
    this.destination = playOn(destinationChain, solver.privateKey);
  }

  /** Switches to manual mining, with one block for each transaction. */
  async begin(): Promise<void> {
    for (const client of [this.origin, this.destination]) {
      await client.setIntervalMining({ interval: 0 });
      await this.mined(client, {
        address: usdc,
        abi: erc20Abi,
        functionName: 'approve',
        args: [intentEscrow, maxUint256],
      });
    }
  }

  async open(amount: bigint): Promise<Order> {
    const { logs } = await this.mined(this.origin, {
      address: intentEscrow,
      abi: intentEscrowAbi,
      functionName: 'bridge',
      args: [
        {
          token: usdc,
          amount,
          destinationChainId: BigInt(this.destinationChain.chainId),
          destinationToken: usdc,
          minimum: amount - 1n,
          owner: getAddress(wallet.address),
        },
      ],
    });
    const [opened] = parseEventLogs({ abi: intentEscrowAbi, eventName: 'Open', logs });
    if (!opened) throw new Error('order was not opened');
    return opened.args.order;
  }

  async fill(order: Order): Promise<void> {
    await this.mined(this.destination, {
      address: intentEscrow,
      abi: intentEscrowAbi,
      functionName: 'fill',
      args: [order, order.minimum, solver.address],
    });
  }

  async mined(
    client: ChainPlayer,
    call: Omit<Parameters<ChainPlayer['writeContract']>[0], 'chain'>,
  ) {
    const hash = await client.writeContract({ ...call, chain: null } as Parameters<
      ChainPlayer['writeContract']
    >[0]);
    await client.mine({ blocks: 1 });
    const receipt = await client.getTransactionReceipt({ hash });
    if (receipt.status !== 'success') throw new Error(`${hash} reverted`);
    return receipt;
  }
}
