------------------------------- MODULE Erasure -------------------------------
(***************************************************************************)
(* Erasing a person: functions/erasure, one action for each call to the    *)
(* table.  The person is the learner of one pair, ErasedPair.  An erasure  *)
(* takes turns, the gate and its first fence as a revert does (Reverts).   *)
(*                                                                         *)
(* db.named says where the name of the person is: <<"payload", c>> and     *)
(* <<"plan", c>>.                                                          *)
(***************************************************************************)
EXTENDS Reverts

IsTheirs(c) == rec[c].pair = ErasedPair

\* The platform's fact: the user is gone, and the erasure is stored, in one transaction. The watchdog starts it.
Tell(e) ==
  /\ db.revert[e].phase = None
  /\ db' = [db EXCEPT !.gone = TRUE, !.revert[e] = [phase |-> "waiting", at |-> 1]]
  /\ queue' = queue \cup {e}
  /\ UNCHANGED <<rec, work, fence, faults>>

(***************************************************************************)
(* A cancelling call copies the payload of a chunk into a plan: EndCancelled *)
(* of Imports, where it reads the payload first.  The API calls it, so it  *)
(* is no invocation of the processor; the fences of an erasure wait for it.*)
(***************************************************************************)
CopyPayload(c) ==
  /\ Erasures # {}
  /\ ImportOf(c) \in db.cancelled /\ IsMissing(c) /\ db.plan[c] = NoPlan
  /\ \A copy \in db.copying : copy.chunk # c
  /\ Changes([db EXCEPT !.copying = @ \cup {[chunk |-> c, named |-> <<"payload", c>> \in db.named]}])

\* Puts the plan if absent, or dies. The summary is EndCancelled's.
EndCopied(copy) ==
  LET c == copy.chunk
      put == [db EXCEPT !.plan[c] = Rejecting, !.named = IF copy.named THEN @ \cup {<<"plan", c>>} ELSE @]
  IN /\ copy \in db.copying
     /\ \E table \in IF db.plan[c] = NoPlan THEN {put, db} ELSE {db} :
          db' = [table EXCEPT !.copying = @ \ {copy}]
     /\ fence' = [x \in DOMAIN fence |-> fence[x] \ {copy}]
     /\ UNCHANGED <<rec, queue, work, faults>>

(***************************************************************************)
(* `closing`, `erasing`: import by import, and chunk by chunk, in any      *)
(* order.  `at` counts the imports that are done in the phase.             *)
(***************************************************************************)
StoreErasureFence(w) ==
  /\ work[w].pc = "read imports" /\ work[w].job \in Erasures
  /\ MovedBehindFence(w, "closing", 1, IF ErasureFence THEN work[w].counting \cup db.copying ELSE {})

\* The names of the person are collected: here they are known.
AfterErasureFence(w) ==
  /\ work[w].pc = "closing" /\ work[w].job \in Erasures
  /\ Moved(w, "erasing", 1)

\* Imports that are accepted meanwhile come last.
ToErase(e) == IF db.revert[e].phase = "erasing" THEN {i \in Imports : db.status[i] # None} \ db.visited ELSE db.again

EraseEnds(w) ==
  LET e == work[w].job
      isAgain == work[w].pc = "again"
  IN /\ work[w].pc \in {"erasing", "again"} /\ ToErase(e) = {}
     /\ IF isAgain \/ db.again = {} THEN Moved(w, "erasing learner", 1)
        ELSE MovedBehindFence(w, "leaving", 1, IF SecondFence THEN Running \cup db.copying ELSE {})

AfterSecondFence(w) ==
  /\ work[w].pc = "leaving"
  /\ Moved(w, "again", 1)

\* Reads the chunks of an import: which have a plan, and what is to be freed and erased.
ReadErased(w, i) ==
  LET me == work[w]
      e == me.job
      theirs == {c \in ChunksOf[i] : IsTheirs(c)}
      isOpen == db.status[i] = "open" /\ \E c \in ChunksOf[i] : db.plan[c] = NoPlan
      writes == {c \in theirs : db.plan[c].out \notin {None, "rejected", "erased"}}
  IN /\ me.pc \in {"erasing", "again"} /\ i \in ToErase(e)
     /\ GoesOn(w, [me EXCEPT !.pc = "erase", !.freed = IF ErasureFrees THEN writes ELSE {}, !.own = theirs, !.next = i,
                             !.others = {c \in theirs : db.plan[c] # NoPlan}, !.relying = IF isOpen THEN {i} ELSE {}], db)

FreeErased(w) ==
  LET me == work[w]
  IN /\ me.pc = "erase" /\ me.freed # {}
     /\ \E c \in me.freed :
          GoesOn(w, [me EXCEPT !.freed = @ \ {c}],
                    IF db.bound[IdOf[c]] = db.plan[c].pair
                    THEN [db EXCEPT !.bound[IdOf[c]] = None, !.mark[IdOf[c]] = 0] ELSE db)

ErasePayload(w) ==
  LET me == work[w]
  IN /\ me.pc = "erase" /\ me.freed = {} /\ me.own # {}
     /\ \E c \in me.own : GoesOn(w, [me EXCEPT !.own = @ \ {c}], [db EXCEPT !.named = @ \ {<<"payload", c>>}])

\* A plan that was read is there: only an erasure replaces one.
ErasePlan(w) ==
  LET me == work[w]
  IN /\ me.pc = "erase" /\ me.freed = {} /\ me.others # {}
     /\ \E c \in me.others :
          GoesOn(w, [me EXCEPT !.others = @ \ {c}],
                    [db EXCEPT !.named = @ \ {<<"plan", c>>},
                               !.plan[c] = IF @.out \in {"rejected", "erased"} THEN @ ELSE [@ EXCEPT !.out = "erased"]])

\* The step is stored with the imports that it was about.
Erased(w) ==
  LET me == work[w]
      isAgain == me.seen.phase = "again"
      table == [db EXCEPT !.visited = @ \cup {me.next},
                          !.again = IF isAgain THEN @ \ {me.next} ELSE IF ErasedTwice THEN @ \cup me.relying ELSE @]
  IN /\ me.pc = "erase" /\ me.freed = {} /\ me.own = {} /\ me.others = {}
     /\ MovedWith(w, me.seen.phase, 1, table)

(***************************************************************************)
(* The progress of the learner, with its ids; then the gate.               *)
(***************************************************************************)
FreeLearner(w) ==
  LET ids == {IdOf[x.chunk] : x \in {y \in db.contributions : y.pair = ErasedPair}}
  IN /\ work[w].pc = "erasing learner"
     /\ GoesOn(w, To(w, "delete learner"),
               [db EXCEPT !.bound = [id \in Ids |-> IF id \in ids /\ @[id] = ErasedPair THEN None ELSE @[id]]])

DeleteLearner(w) ==
  /\ work[w].pc = "delete learner"
  /\ GoesOn(w, To(w, "learner deleted"), [db EXCEPT !.contributions = {x \in @ : x.pair # ErasedPair}])

LearnerDeleted(w) ==
  /\ work[w].pc = "learner deleted"
  /\ Moved(w, "passing", 1)

\* Nothing was removed that an earlier plan of another learner relies on: the epoch stays.
PassErasureGate(w) ==
  LET next == To(w, "send")
  IN /\ work[w].pc = "passing"
     /\ IF db.by = work[w].job
        THEN GoesOn(w, next, [db EXCEPT !.by = FirstWaiting, !.waiting = OthersWaiting])
        ELSE GoesOn(w, next, db)

SendAfterErasure(w) ==
  /\ work[w].pc = "send"
  /\ queue' = queue \cup (IF db.by = None THEN {c \in Chunks : IsMissing(c)} ELSE {db.by})
  /\ work' = [work EXCEPT ![w].pc = "forget erasure"]
  /\ UNCHANGED <<rec, db, fence, faults>>

ForgetErasure(w) ==
  /\ work[w].pc = "forget erasure"
  /\ Moved(w, "done", 1)

ErasureStep(w) ==
  \/ StoreErasureFence(w) \/ AfterErasureFence(w) \/ EraseEnds(w) \/ AfterSecondFence(w)
  \/ (\E i \in Imports : ReadErased(w, i)) \/ FreeErased(w) \/ ErasePayload(w) \/ ErasePlan(w) \/ Erased(w)
  \/ FreeLearner(w) \/ DeleteLearner(w) \/ LearnerDeleted(w) \/ PassErasureGate(w) \/ SendAfterErasure(w)
  \/ ForgetErasure(w)
==============================================================================
