import type { OnrampCallback } from '../port/onramp-provider.js';
import { told, type JsonObject } from '../wire/json-object.js';

const MAX_ID_LENGTH = 200;

/**
 * Reads the claims of a webhook. No id of an event is documented, so ours is made of the order and its state.
 * @throws UnreadableAnswer
 */
export function readEvent(claims: JsonObject): OnrampCallback {
  const type = claims.string('eventID');
  const order = told(() => claims.object('webhookData'));
  const facts = ['id', 'status'].flatMap((field) => told(() => order?.string(field)) ?? []);
  const createdAt = told(() => claims.string('createdAt')) ?? [];
  const isOrder = type.startsWith('ORDER_') && order?.is('isBuyOrSell', 'SELL') !== true;
  return {
    callbackId: [facts, type, createdAt].flat().join(' ').slice(0, MAX_ID_LENGTH),
    paymentId: (isOrder ? told(() => order?.string('partnerOrderId')) : undefined) ?? null,
  };
}
