import { developmentAccounts } from '@bascule/local-stack';
import { FILL_OUTCOMES, fillAttestationTypedData, orderId, parseOrder } from '@bascule/solidity';
import type { Order } from '@bascule/solidity';
import { startCapturingServer } from '@bascule/testing';
import type { CannedResponse, CapturingServer } from '@bascule/testing';
import { zeroAddress } from 'viem';
import type { Address } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

const keys = developmentAccounts.flatMap(({ role, privateKey }) =>
  role.endsWith('-attester') ? [privateKey] : [],
);

const json = (status: number, body: object): CannedResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** The development chains' attesters with simulated answers: two of three have to agree. */
export class SimulatedAttesters {
  answers: 'unfilled' | 'filled' | 'outages' = 'unfilled';
  /** Orders that they were asked about, once for each question. */
  readonly asked: string[] = [];

  private constructor(private readonly servers: CapturingServer[]) {}

  static async start(): Promise<SimulatedAttesters> {
    const simulated: { attesters?: SimulatedAttesters } = {};
    const servers = await Promise.all(
      keys.map((_, index) =>
        startCapturingServer(
          ({ body }) => simulated.attesters?.answer(index, body) ?? Promise.resolve(json(503, {})),
        ),
      ),
    );
    simulated.attesters = new SimulatedAttesters(servers);
    return simulated.attesters;
  }

  get urls(): string {
    return this.servers.map(({ url }) => url).join(',');
  }

  async stop(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.stop()));
  }

  private async answer(index: number, body: Buffer): Promise<CannedResponse> {
    const { escrow, order: wire } = JSON.parse(body.toString()) as {
      escrow: Address;
      order: unknown;
    };
    const order = parseOrder(wire);
    const id = orderId(order, escrow);
    this.asked.push(id);
    if (this.answers === 'outages') return json(503, {});
    const isFilled = this.answers === 'filled';
    const filler = isFilled ? escrow : zeroAddress;
    return json(200, {
      order_id: id,
      outcome: isFilled ? 'FILLED' : 'UNFILLED',
      filler,
      signature: await signed(index, order, id, filler),
    });
  }
}

function signed(index: number, order: Order, id: `0x${string}`, filler: Address) {
  const key = keys[index];
  if (key === undefined) throw new Error(`no attester ${index}`);
  const outcome = filler === zeroAddress ? FILL_OUTCOMES.unfilled : FILL_OUTCOMES.filled;
  return privateKeyToAccount(key).signTypedData(
    fillAttestationTypedData(
      { orderId: id, outcome, filler },
      { chainId: order.originChainId, oracle: order.oracle },
    ),
  );
}
