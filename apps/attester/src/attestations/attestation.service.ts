import { Chains } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import {
  FILL_OUTCOMES,
  fillAttestationTypedData,
  intentEscrowAbi,
  orderId,
} from '@bascule/solidity';
import type { Order } from '@bascule/solidity';
import { SignerRefusedError, SignerUnavailableError } from '@bascule/signers';
import type { AddressBlock } from '@bascule/service-host';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { decodeFunctionResult, encodeFunctionData, isAddressEqual } from 'viem';
import type { Address, Hex, LocalAccount } from 'viem';
import { ClientBudgets } from '../limits/client-budgets.js';
import { FinalBlocksClient } from './final-blocks.client.js';
import type { AttestationRequest } from './read-attestation-request.js';
import { Refusal } from './refusal.js';
import { OverloadedError, SingleFlight } from './single-flight.js';
import { attestedOutcome, requireOpen } from './attested-outcome.js';
import type { AttestedOutcome } from './attested-outcome.js';

/** Limits the load of the open API: each order costs requests to all endpoints. The rest is for orders known as open. */
export const MAX_ORDERS_AT_ONCE = { all: 32, unreserved: 16 };
/** Orders known as open in memory; the least recently asked for are dropped first. */
const OPEN_ORDERS = 10_000;
/** Units of a request: strangers can invent orders without end, but not open them. */
export const UNITS = { open: 1, unknown: 25 };
const BUSY_RETRY_MS = 1_000;
const SIGNER_RETRY_MS = 5_000;

export const ATTESTER = Symbol('ATTESTER');

export interface Attestation extends AttestedOutcome {
  orderId: Hex;
  attester: Address;
  signature: Hex;
}

/** Attests the outcome of an order from its own endpoints of both chains. */
@Injectable()
export class AttestationService {
  private readonly singleFlight = new SingleFlight<Attestation>(MAX_ORDERS_AT_ONCE);
  private readonly openOrders = new LRUCache<Hex, true>({ max: OPEN_ORDERS });

  constructor(
    private readonly chains: Chains,
    private readonly finalBlocks: FinalBlocksClient,
    private readonly budgets: ClientBudgets,
    @Inject(ATTESTER) private readonly attester: LocalAccount,
  ) {}

  /** @throws Refusal unless the outcome is final */
  async attest(
    { escrow, order }: AttestationRequest,
    client: readonly AddressBlock[],
  ): Promise<Attestation> {
    const origin = this.chainWithEscrow(order.originChainId, escrow);
    const destination = this.chainWithEscrow(order.destinationChainId, escrow);
    requireOracle(origin, order);
    const id = orderId(order, escrow);
    return this.charged(client, id, (isOpen) =>
      this.singleFlight
        .do(id, () => this.look(id, { escrow, order }, { origin, destination }), isOpen)
        .catch((error: unknown) => {
          if (!(error instanceof OverloadedError)) throw error;
          throw new Refusal('busy', 'Too many orders are being checked.', BUSY_RETRY_MS);
        }),
    );
  }

  /** Charges a client more for orders that are not open: who invents orders is the only one to ask for many. */
  private async charged(
    client: readonly AddressBlock[],
    id: Hex,
    work: (isOpen: boolean) => Promise<Attestation>,
  ): Promise<Attestation> {
    const isOpen = this.openOrders.has(id);
    const units = isOpen ? UNITS.open : UNITS.unknown;
    const waitMs = this.budgets.charge(client, units);
    if (waitMs !== null) throw new Refusal('rate_limited', 'Too many requests.', waitMs);
    let isInvented = false;
    try {
      return await work(isOpen);
    } catch (error) {
      isInvented = error instanceof Refusal && error.code === 'not_open';
      throw error;
    } finally {
      if (!isInvented) this.budgets.giveBack(client, units - UNITS.open);
    }
  }

  private async look(
    id: Hex,
    { escrow, order }: AttestationRequest,
    { origin, destination }: { origin: Chain; destination: Chain },
  ): Promise<Attestation> {
    const status = await this.statusOf(origin, escrow, id);
    this.openOrders.delete(id);
    requireOpen(status, origin.definition.blockTimeMs);
    this.openOrders.set(id, true);
    const facts = await this.fillOf(destination, escrow, id);
    const attested = attestedOutcome(order, facts, destination.definition.blockTimeMs);
    return {
      ...attested,
      orderId: id,
      attester: this.attester.address,
      signature: await this.sign(order, id, attested),
    };
  }

  private chainWithEscrow(chainId: bigint, escrow: Address): Chain {
    const chain = this.chains.byChainId(chainId);
    const known = chain?.definition.contracts.intentEscrow;
    if (!chain || !known || !isAddressEqual(known, escrow)) {
      throw new Refusal('foreign_order', `Unknown escrow on chain ${chainId}.`);
    }
    return chain;
  }

  private async statusOf(chain: Chain, escrow: Address, id: Hex): Promise<number> {
    const call = { abi: intentEscrowAbi, functionName: 'statusOf', args: [id] } as const;
    const { data } = await this.finalBlocks.call(chain, escrow, encodeFunctionData(call));
    return decodeFunctionResult({ ...call, data });
  }

  private async fillOf(chain: Chain, escrow: Address, id: Hex) {
    const call = { abi: intentEscrowAbi, functionName: 'fillerOf', args: [id] } as const;
    const { data, timestamp } = await this.finalBlocks.call(
      chain,
      escrow,
      encodeFunctionData(call),
    );
    return { filler: decodeFunctionResult({ ...call, data }), timestamp };
  }

  private sign(order: Order, id: Hex, { outcome, filler }: AttestedOutcome): Promise<Hex> {
    const seen = outcome === 'FILLED' ? FILL_OUTCOMES.filled : FILL_OUTCOMES.unfilled;
    const attestation = fillAttestationTypedData(
      { orderId: id, outcome: seen, filler },
      { chainId: order.originChainId, oracle: order.oracle },
    );
    return this.attester.signTypedData(attestation).catch((error: unknown) => {
      if (error instanceof SignerUnavailableError) {
        const message = 'The key of this attester is unavailable.';
        throw new Refusal('signer_unavailable', message, SIGNER_RETRY_MS, error);
      }
      if (!(error instanceof SignerRefusedError)) throw error;
      throw new Refusal(
        'signer_refused',
        'The key of this attester was refused.',
        undefined,
        error,
      );
    });
  }
}

function requireOracle({ definition }: Chain, order: Order): void {
  const oracle = definition.contracts.attesterOracle;
  if (oracle && isAddressEqual(oracle, order.oracle)) return;
  throw new Refusal('foreign_order', 'The order names another oracle.');
}
