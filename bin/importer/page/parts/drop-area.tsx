import { useState } from 'preact/hooks';
import { Field } from './field.tsx';

interface Props {
  readonly label: string;
  readonly hint: string;
  readonly accept: string;
  readonly onFiles: (files: readonly File[]) => void;
}

/** Files that are chosen, or dropped. */
export function DropArea({ label, hint, accept, onFiles }: Props) {
  const [isOver, setOver] = useState(false);
  const over = (event: DragEvent): void => {
    event.preventDefault();
    setOver(event.type === 'dragover');
  };
  const choose = (files: FileList | null | undefined): void => {
    if (files !== null && files !== undefined && files.length > 0) onFiles([...files]);
  };
  const drop = (event: DragEvent): void => {
    over(event);
    choose(event.dataTransfer?.files);
  };
  return (
    <div class={isOver ? 'drop over' : 'drop'} onDragOver={over} onDragLeave={over} onDrop={drop}>
      <Field label={label}>
        <input
          type="file"
          name="files"
          multiple
          accept={accept}
          onChange={(event) => choose(event.currentTarget.files)}
        />
      </Field>
      <p class="hint">{hint}</p>
    </div>
  );
}
