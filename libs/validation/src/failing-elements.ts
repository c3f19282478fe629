import { getMetadataStorage } from 'class-validator';
import type { ValidationArguments } from 'class-validator';

interface ConstraintMetadata {
  name: string;
  instance: { validate(value: unknown, args: ValidationArguments): boolean | Promise<boolean> };
}

function* eachConstraints(target: object, property: string) {
  const storage = getMetadataStorage();
  const all = storage.getTargetValidationMetadatas(target.constructor, '', false, false);
  for (const metadata of all) {
    if (metadata.propertyName !== property || !metadata.each) continue;
    const found: ConstraintMetadata[] = storage.getTargetValidatorConstraints(
      metadata.constraintCls,
    );
    for (const constraint of found) yield { constraint, metadata };
  }
}

/** Elements of an array that fail a constraint. */
export function failingElements(
  target: object,
  property: string,
  constraintName: string,
  elements: readonly unknown[],
): number[] | undefined {
  for (const { constraint, metadata } of eachConstraints(target, property)) {
    if (constraint.name !== constraintName) continue;
    const fails = (element: unknown): boolean =>
      constraint.instance.validate(element, {
        value: element,
        constraints: metadata.constraints,
        targetName: target.constructor.name,
        object: target,
        property,
      }) === false;
    return elements.flatMap((element, index) => (fails(element) ? [index] : []));
  }
  return undefined;
}
