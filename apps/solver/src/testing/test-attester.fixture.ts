import type { Chain } from '@bascule/chain';
import { developmentAccounts } from '@bascule/local-stack';
import {
  FILL_OUTCOMES,
  fillAttestationTypedData,
  intentEscrowAbi,
  orderId,
  parseOrder,
} from '@bascule/solidity';
import { startCapturingServer } from '@bascule/testing';
import type { CannedResponse, CapturingServer } from '@bascule/testing';
import { getAddress, zeroAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

const [, , , , , , , , first, second, third] = developmentAccounts;
const KEYS = [first, second, third].map(({ privateKey }) => privateKeyToAccount(privateKey));

/** Development attesters behind one port: they read the destination's latest state and never attest `UNFILLED`. */
export class AttesterStandIns {
  /** Number of the three attesters that answer. */
  answering = 3;

  private constructor(
    private readonly server: CapturingServer,
    private readonly chains: () => readonly Chain[],
  ) {}

  static async start(chains: () => readonly Chain[]): Promise<AttesterStandIns> {
    const respond = (path: string, body: Buffer) => standIns.respond(path, body);
    const server = await startCapturingServer(({ path, body }) => respond(path, body));
    const standIns = new AttesterStandIns(server, chains);
    return standIns;
  }

  get urls(): string {
    return KEYS.map((_, index) => `${this.server.url}/${index}`).join(',');
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  private async respond(path: string, body: Buffer): Promise<CannedResponse> {
    const index = Number(path.split('/')[1]);
    const attester = KEYS[index];
    if (!attester || index >= this.answering) return notYet('not_final');
    const request = JSON.parse(body.toString('utf8')) as { escrow: string; order: unknown };
    const order = parseOrder(request.order);
    const escrow = getAddress(request.escrow);
    const destination = this.chains().find(
      ({ chainId }) => BigInt(chainId) === order.destinationChainId,
    );
    if (!destination) return notYet('not_open');
    const id = orderId(order, escrow);
    const filler = await destination.anyNode.client.readContract({
      address: escrow,
      abi: intentEscrowAbi,
      functionName: 'fillerOf',
      args: [id],
    });
    if (filler === zeroAddress) return notYet('not_final');
    const attestation = { orderId: id, outcome: FILL_OUTCOMES.filled, filler };
    const signature = await attester.signTypedData(
      fillAttestationTypedData(attestation, {
        chainId: order.originChainId,
        oracle: order.oracle,
      }),
    );
    return json(200, {
      order_id: id,
      outcome: 'FILLED',
      filler,
      attester: attester.address,
      signature,
    });
  }
}

const json = (status: number, body: object): CannedResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const notYet = (code: string) => json(409, { error: { code, retry_after_ms: 100 } });
