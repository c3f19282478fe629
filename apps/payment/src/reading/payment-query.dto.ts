import { IsUuid } from '@bascule/validation';
import { PaymentViewQueryDto } from './payment-view-query.dto.js';

export class PaymentQueryDto extends PaymentViewQueryDto {
  /** Id of the payment. */
  @IsUuid()
  payment_id!: string;
}
