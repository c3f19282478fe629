import { IsAsset, IsQueryBoolean } from '@bascule/validation';
import { IsArray, IsOptional } from 'class-validator';

export class AssetsQueryDto {
  /** Assets to list; all by default. */
  @IsOptional()
  @IsArray()
  @IsAsset({ each: true })
  assets?: string[];

  /** Lists test networks only; by default as the deployment is configured. */
  @IsOptional()
  @IsQueryBoolean()
  sandbox?: boolean;
}
