import { IsQueryBoolean } from '@bascule/validation';
import { IsOptional } from 'class-validator';

export class ChainsQueryDto {
  /** Lists test networks only; by default as the deployment is configured. */
  @IsOptional()
  @IsQueryBoolean()
  sandbox?: boolean;
}
