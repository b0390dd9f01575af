-------------------------------- MODULE Covers --------------------------------
(* What the requests of a run's revert cover: functions/reverts/store.ts `request`, `finish`, and steps.ts `opened`. Imports are        *)
(* numbered in the order of their acceptance, which stands for time. How they are taken back is in Reverts.tla.                          *)
EXTENDS Naturals
CONSTANTS MostImports, Callers,
  FinishChecked, \* a revert ends only if it covers no more than when it looked
  CoverChecked   \* a request covers by a revert only if that has not ended, and covers no more than was read
VARIABLES
  accepted, \* imports 1 to this one
  ended, reverted,
  revert,   \* its phase, the imports of this round (up to), and those that it covers
  caller,   \* what each caller read before its write; none: idle
  looked,   \* what the revert covered when it last looked for imports that are left; 0: it has to look
  promised  \* the imports of which a caller was told that they are covered
vars == <<accepted, ended, reverted, revert, caller, looked, promised>>

Idle == [phase |-> "idle", covers |-> 0, at |-> 0]
None == [phase |-> "none", upTo |-> 0, covers |-> 0]
Init == /\ accepted = 0 /\ ended = {} /\ reverted = {} /\ revert = None
        /\ caller = [c \in Callers |-> Idle] /\ looked = 0 /\ promised = {}

IsClosed == revert.phase \in {"waiting", "taking"}
Accept == accepted < MostImports /\ accepted' = accepted + 1 /\ UNCHANGED <<ended, reverted, revert, caller, looked, promised>>
End(i) == /\ i \in (1..accepted) \ ended /\ ~IsClosed /\ ended' = ended \cup {i}
          /\ UNCHANGED <<accepted, reverted, revert, caller, looked, promised>>

\* Every import has ended, and the revert is read. Imports may be accepted until the write.
Read(c) == /\ caller[c] = Idle /\ accepted > 0 /\ (1..accepted) \subseteq ended \cup reverted
           /\ caller' = [caller EXCEPT ![c] = [phase |-> revert.phase, covers |-> revert.covers, at |-> accepted]]
           /\ UNCHANGED <<accepted, ended, reverted, revert, looked, promised>>
\* A write that is refused reads again.
Write(c) ==
  LET me == caller[c]
      isNew == me.phase \in {"none", "done"}
      isStill == revert.covers = me.covers /\ (revert.phase \in {"none", "done"} <=> isNew)
      covers == IF me.at > revert.covers THEN me.at ELSE revert.covers
  IN /\ me # Idle /\ caller' = [caller EXCEPT ![c] = Idle]
     /\ IF isStill \/ (~isNew /\ ~CoverChecked)
        THEN /\ revert' = IF isNew THEN [phase |-> "waiting", upTo |-> me.at, covers |-> me.at]
                          ELSE [revert EXCEPT !.covers = covers]
             /\ promised' = promised \cup (1..me.at)
        ELSE UNCHANGED <<revert, promised>>
     /\ UNCHANGED <<accepted, ended, reverted, looked>>

To(phase) == revert' = [revert EXCEPT !.phase = phase]
Close == revert.phase = "waiting" /\ To("taking") /\ UNCHANGED <<accepted, ended, reverted, caller, looked, promised>>
Take == /\ revert.phase = "taking" /\ reverted' = reverted \cup ((1..revert.upTo) \cap ended) /\ To("opened") /\ looked' = 0
        /\ UNCHANGED <<accepted, ended, caller, promised>>
Left(upTo) == (1..upTo) \ reverted
Look == /\ revert.phase = "opened" /\ looked = 0
        /\ IF Left(revert.covers) = {} THEN looked' = revert.covers /\ UNCHANGED revert
           ELSE /\ Left(revert.covers) \subseteq ended /\ UNCHANGED looked
                /\ revert' = [revert EXCEPT !.phase = "waiting", !.upTo = revert.covers]
        /\ UNCHANGED <<accepted, ended, reverted, caller, promised>>
Finish == /\ revert.phase = "opened" /\ looked > 0 /\ looked' = 0
          /\ IF FinishChecked => looked = revert.covers THEN To("done") ELSE UNCHANGED revert
          /\ UNCHANGED <<accepted, ended, reverted, caller, promised>>

Next == Accept \/ (\E i \in 1..MostImports : End(i)) \/ (\E c \in Callers : Read(c) \/ Write(c)) \/ Close \/ Take \/ Look \/ Finish
Spec == Init /\ [][Next]_vars

\* §4.9: a 202 covers every import of the run that was accepted before it.
PromisesKept == revert.phase = "done" => promised \subseteq reverted
==============================================================================
