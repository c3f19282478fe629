import { tokenIdentifier } from '@bascule/contracts';
import { zeroAddress } from 'viem';
import { acceptanceOf, type Play } from '../payments/play.js';
import { lower, type ChainRecord, type ExecutedLeg } from './chain-record.js';
import type { Claim, Findings } from './findings.js';

/** What the chain says about destinations: who was paid, how often and how much. */
export class Payouts {
  readonly #once: Claim;
  readonly #minimum: Claim;
  readonly #unpaid: Claim;

  constructor(findings: Findings) {
    this.#once = findings.claim('a destination is paid once by a completed payment, else never');
    this.#minimum = findings.claim('what is paid is all the output, at least the declared minimum');
    this.#unpaid = findings.claim('a destination gets no other money');
  }

  async verify(play: Play, status: string, record: ChainRecord): Promise<void> {
    const { wallet } = acceptanceOf(play);
    const legs = record.legs.filter((leg) => leg.wallet === lower(wallet));
    const isHere = record.chain === play.chain;
    this.#once.equal(named(play), legs.length, isHere && status === 'COMPLETE' ? 1 : 0);
    await this.#verifyDestination(play, record, isHere ? legs : []);
  }

  async #verifyDestination(play: Play, record: ChainRecord, legs: ExecutedLeg[]): Promise<void> {
    const { chain, transfers } = record;
    const declared = acceptanceOf(play).declaration.legs.at(-1);
    const [executed] = legs;
    const output = tokenIdentifier(chain.name, declared?.outputToken ?? zeroAddress);
    const arrived = transfers.filter(({ to }) => to === lower(play.destination));
    const native = await chain.client.getBalance({ address: play.destination });
    if (native > 0n) {
      const token = tokenIdentifier(chain.name, zeroAddress);
      arrived.push({ ...NATIVE_MOVE, token, to: play.destination, units: native });
    }
    if (executed) {
      const [first] = arrived;
      this.#minimum.equal(named(play), first?.units, executed.output);
      this.#minimum.holds(named(play), executed.output >= (declared?.minOutput ?? 0n), executed);
      this.#unpaid.equal(named(play), first?.token, output);
    }
    this.#unpaid.equal(named(play), arrived.length, executed ? 1 : 0);
  }
}

const NATIVE_MOVE = { from: zeroAddress, hash: '0x' } as const;

export const named = (play: Play): string =>
  `${play.kind} ${play.accepted?.id ?? 'not accepted'} on ${play.chain.name}:`;
