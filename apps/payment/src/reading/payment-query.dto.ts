import { IsUuid } from '@bascule/validation';
import { PaymentViewQueryDto } from './payment-view-query.dto.js';

export class PaymentQueryDto extends PaymentViewQueryDto {
  @IsUuid()
  payment_id!: string;
}
