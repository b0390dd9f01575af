import { useEffect, useState } from 'preact/hooks';
import { Input, Notice } from '../parts/controls.tsx';
import { Doing, submitted, useTask } from '../parts/task.tsx';
import { hrefOf } from '../state/address.ts';
import { call, update } from '../state/store.ts';
import { TEXT } from '../texts/index.ts';

/** E-mail address and password. @param isAgain the session ended while the page was at work */
export function SignInForm({ isAgain = false }: { readonly isAgain?: boolean }) {
  const task = useTask();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  useEffect(() => document.querySelector<HTMLInputElement>('[name=email]')?.focus(), []);
  const signIn = (): void =>
    task.run(async () => {
      const account = await call('signIn', { email, password });
      update({ account, isSignedOut: false });
    });
  return (
    <form class="card narrow" onSubmit={submitted(signIn)}>
      {isAgain ? <Notice kind="warning">{TEXT.signIn.again}</Notice> : <p>{TEXT.signIn.intro}</p>}
      <Doing task={task} text={null} />
      <Input
        label={TEXT.signIn.email}
        type="email"
        name="email"
        autocomplete="username"
        required
        value={email}
        onInput={setEmail}
      />
      <Input
        label={TEXT.signIn.password}
        type="password"
        name="password"
        autocomplete="current-password"
        required
        value={password}
        onInput={setPassword}
      />
      <div class="actions">
        <button type="submit" class="main" disabled={task.isBusy}>
          {TEXT.screens['sign-in']}
        </button>
        {!isAgain && <a href={hrefOf('evidence')}>{TEXT.evidence.verify}</a>}
      </div>
    </form>
  );
}
