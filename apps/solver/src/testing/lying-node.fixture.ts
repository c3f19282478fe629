import { intentEscrowAbi, orderId } from '@bascule/solidity';
import type { Order } from '@bascule/solidity';
import { startCapturingServer } from '@bascule/testing';
import type { CapturingServer } from '@bascule/testing';
import {
  decodeAbiParameters,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  getAbiItem,
  pad,
} from 'viem';
import type { Address, Hex } from 'viem';

export interface RpcLog {
  blockNumber: Hex;
  topics: Hex[];
  data: Hex;
}
interface RpcAnswer {
  result: unknown;
}

const OPEN = getAbiItem({ abi: intentEscrowAbi, name: 'Open' });
const [, , ORDER] = OPEN.inputs;
const OPEN_STATUS = pad('0x1');

/** Proxies a node and adds an order that was never opened to every answer about logs. */
export class LyingNode {
  private lie: { log: RpcLog; id: Hex } | null = null;

  private constructor(private readonly server: CapturingServer) {}

  static async before(rpcUrl: string): Promise<LyingNode> {
    const server = await startCapturingServer(async ({ body }) => {
      const response = await fetch(rpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      const answer = (await response.json()) as RpcAnswer;
      const text = JSON.stringify(node.twisted(body.toString('utf8'), answer));
      return { headers: { 'content-type': 'application/json' }, body: text };
    });
    const node = new LyingNode(server);
    return node;
  }

  get url(): string {
    return this.server.url;
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  /** Makes the node report an order for another recipient, and returns that order's id. */
  tell(template: RpcLog, escrow: Address, change: { recipient: Address; underItsOwnId: boolean }) {
    const [order] = decodeAbiParameters([ORDER], template.data);
    const forged: Order = { ...order, recipient: change.recipient };
    const id = orderId(change.underItsOwnId ? forged : order, escrow);
    const args = { orderId: id, wallet: order.wallet };
    const topics = encodeEventTopics({ abi: intentEscrowAbi, eventName: 'Open', args }) as Hex[];
    this.lie = { id, log: { ...template, topics, data: encodeAbiParameters([ORDER], [forged]) } };
    return id;
  }

  /** Ends the lie: a solver that asks this node alone fills what it is told. */
  beHonest(): void {
    this.lie = null;
  }

  private twisted(request: string, answer: RpcAnswer): RpcAnswer {
    if (!this.lie) return answer;
    const { id, log } = this.lie;
    if (request.includes('eth_getLogs')) {
      const others = (answer.result as RpcLog[]).filter(({ topics }) => topics[1] !== id);
      return { ...answer, result: [...others, log] };
    }
    const status = encodeFunctionData({
      abi: intentEscrowAbi,
      functionName: 'statusOf',
      args: [id],
    });
    return request.includes(status) ? { ...answer, result: OPEN_STATUS } : answer;
  }
}
