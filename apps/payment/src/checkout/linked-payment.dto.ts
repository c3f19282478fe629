import { forbidden } from '@bascule/contracts';
import type { Caller } from '@bascule/identity';
import { IsUuid } from '@bascule/validation';

/** Path of a link to a payment. */
export class LinkedPaymentDto {
  /** Id of the payment. */
  @IsUuid()
  payment_id!: string;
}

/** @throws ServiceError 403 for the link of another payment */
export function checkLink({ payment_id }: LinkedPaymentDto, { paymentId }: Caller): void {
  if (paymentId !== payment_id) throw forbidden('The link is for another payment.');
}
