import ts from 'typescript';

/** Comments of classes and their fields, by the name of the class. */
export type Comments = Map<string, { text: string; fields: Map<string, string> }>;

/** Reads the doc comments of the classes in a source file. */
export function commentsIn(file: string, text: string): Comments {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  return new Map(
    source.statements.filter(ts.isClassDeclaration).map((declaration) => [
      declaration.name?.text ?? '',
      {
        text: commentOf(declaration),
        fields: new Map(
          declaration.members
            .filter(ts.isPropertyDeclaration)
            .map((member) => [member.name.getText(), commentOf(member)]),
        ),
      },
    ]),
  );
}

function commentOf(node: ts.Node): string {
  const [comment] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  return ts.getTextOfJSDocComment(comment?.comment)?.replace(/\s+/g, ' ').trim() ?? '';
}
