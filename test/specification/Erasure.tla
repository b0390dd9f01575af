------------------------------- MODULE Erasure -------------------------------
(***************************************************************************)
(* Erasing a person: functions/erasure, one action for each call to the    *)
(* table.  The person is the learner of one pair, ErasedPair.  An erasure  *)
(* takes turns, the gate and its first fence as a revert does (Reverts).   *)
(*                                                                         *)
(* db.named says where the name of the person is: <<"payload", c>>,        *)
(* <<"plan", c>> and <<"archive", c>>.                                     *)
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
(* A cancelling call, or the watchdog that abandons an import, copies the  *)
(* payload of a chunk into a plan that rejects its record: EndCancelled    *)
(* and Abandon of Imports, where they read the payload first.  Neither is  *)
(* an invocation of the processor; the fences of an erasure wait for them. *)
(***************************************************************************)
CopyOf(c) == [chunk |-> c, named |-> <<"payload", c>> \in db.named, keeps |-> FALSE]

CopyPayload(c) ==
  LET i == ImportOf(c)
  IN /\ Erasures # {}
     /\ i \in db.cancelled \/ (i \in db.closing /\ fence[i] = {})
     /\ IsMissing(c) /\ db.plan[c] = NoPlan
     /\ CopyOf(c) \notin db.copying
     /\ Changes([db EXCEPT !.copying = @ \cup {CopyOf(c)}])

\* The watchdog that abandons an import archives what the plan of a chunk keeps. It reads the plan first, too.
CopyKept(c) ==
  LET i == ImportOf(c)
      copy == [chunk |-> c, named |-> NamesPerson(c), keeps |-> TRUE]
  IN /\ i \in db.closing /\ fence[i] = {}
     /\ IsMissing(c) /\ db.plan[c] = Kept /\ c \notin db.archived
     /\ copy \notin db.copying
     /\ Changes([db EXCEPT !.copying = @ \cup {copy}])

\* Puts the plan if absent, or dies. The summary is EndCancelled's, or Abandon's.
EndCopied(copy) ==
  LET c == copy.chunk
      put == IF copy.keeps THEN Archiving(db, c)
             ELSE [db EXCEPT !.plan[c] = Rejecting, !.named = IF copy.named THEN @ \cup {<<"plan", c>>} ELSE @]
  IN /\ copy \in db.copying
     /\ \E table \in IF db.plan[c] = NoPlan \/ copy.keeps THEN {put, db} ELSE {db} :
          db' = [table EXCEPT !.copying = @ \ {copy}]
     /\ fence' = [x \in DOMAIN fence |-> fence[x] \ {copy}]
     /\ UNCHANGED <<rec, queue, work, faults>>

(***************************************************************************)
(* `closing`, `halting`, `erasing`: each step is about a page of the list  *)
(* of imports, all of them at once.                                        *)
(***************************************************************************)
StoreErasureFence(w) ==
  /\ work[w].pc = "read imports" /\ work[w].job \in Erasures
  /\ MovedBehindFenceWith(w, "closing", 1, IF ErasureFence THEN work[w].counting \cup db.copying ELSE {},
                          [db EXCEPT !.known = {i \in Imports : db.status[i] # None}])

\* The names of the person are collected: here they are known. A driver that had read the gate before may have accepted an
\* import until now; the list has it.
AfterErasureFence(w) ==
  /\ work[w].pc = "closing" /\ work[w].job \in Erasures
  /\ MovedWith(w, "halting", 1,
               [db EXCEPT !.known = IF ListedLate THEN @ \cup {i \in PlanImports : db.status[i] # None} ELSE @])

Visits(w, page) == GoesOn(w, [work[w] EXCEPT !.pc = "erase", !.page = page, !.unread = page], db)

\* An import that was accepted after the gate was closed may be missing in the list.
Lists(w, wanted) ==
  \E page \in SUBSET ({i \in Imports : db.status[i] # None} \ db.visited) :
    page # {} /\ wanted \ db.visited \subseteq page /\ Visits(w, page)

\* Those that are open: their chunks are carried out as soon as they pass the gate.
Halted == HaltsFirst => {i \in db.known : db.status[i] = "open"} \subseteq db.visited

ListOpen(w) ==
  /\ work[w].pc = "halting"
  /\ Lists(w, {i \in db.known : db.status[i] = "open"})

HaltEnds(w) ==
  /\ work[w].pc = "halting" /\ Halted
  /\ MovedWith(w, "erasing learner", 1, [db EXCEPT !.visited = {}])

ListImports(w) ==
  /\ work[w].pc = "erasing"
  /\ Lists(w, db.known)

\* The report of a dry run, which is in the list as well.
EraseReport(w) ==
  /\ work[w].pc = "erasing"
  /\ \E c \in PlanChunks :
       /\ <<"report", c>> \in db.named
       /\ GoesOn(w, work[w], [db EXCEPT !.named = @ \ {<<"report", c>>}, !.planned[c].out = "rejected"])

\* Nothing is left in the list.
EraseEnds(w) ==
  /\ work[w].pc = "erasing" /\ db.known \subseteq db.visited
  /\ ~\E n \in db.named : n[1] = "report"
  /\ IF db.again = {} THEN Moved(w, "passing", 1)
     ELSE MovedBehindFence(w, "leaving", 1, IF SecondFence THEN Running \cup db.copying ELSE {})

AfterSecondFence(w) ==
  /\ work[w].pc = "leaving"
  /\ Moved(w, "again", 1)

ListAgain(w) ==
  /\ work[w].pc = "again" /\ db.again # {}
  /\ \E page \in SUBSET {i \in Imports : db.status[i] # None} : db.again \subseteq page /\ Visits(w, page)

AgainEnds(w) ==
  /\ work[w].pc = "again" /\ db.again = {}
  /\ Moved(w, "passing", 1)

\* Reads the chunks of an import: which have a plan, and what is to be freed and erased. An import that has ended since its
\* item was read counts as open; so does one that was abandoned not long ago, because a watchdog may still archive.
ReadErased(w, i) ==
  LET me == work[w]
      theirs == {c \in ChunksOf[i] : IsTheirs(c)}
      open == IF me.seen.phase # "erasing" THEN {{}} ELSE IF db.status[i] = "open" \/ i \in db.closing THEN {{i}} ELSE {{}, {i}}
      writes == {c \in theirs : db.plan[c].out \notin {None, "rejected", "erased"}}
  IN /\ me.pc = "erase" /\ i \in me.unread
     /\ \E isOpen \in open :
          GoesOn(w, [me EXCEPT !.unread = @ \ {i},
                               !.freed = IF ErasureFrees THEN @ \cup writes ELSE @,
                               !.own = @ \cup {c \in theirs : <<"payload", c>> \in db.named},
                               !.others = @ \cup {c \in theirs : <<"plan", c>> \in db.named},
                               !.kept = IF ArchiveErased THEN @ \cup {c \in theirs : <<"archive", c>> \in db.named} ELSE @,
                               !.relying = @ \cup isOpen], db)

\* Of a chunk: first the id, then the payload, then the plan, which alone names a claim without a contribution.
FreeErased(w) ==
  LET me == work[w]
  IN /\ me.pc = "erase"
     /\ \E c \in me.freed :
          GoesOn(w, [me EXCEPT !.freed = @ \ {c}],
                    IF db.bound[IdOf[c]] = db.plan[c].pair
                    THEN [db EXCEPT !.bound[IdOf[c]] = None, !.mark[IdOf[c]] = 0] ELSE db)

ErasePayload(w) ==
  LET me == work[w]
  IN /\ me.pc = "erase"
     /\ \E c \in me.own \ me.freed : GoesOn(w, [me EXCEPT !.own = @ \ {c}], [db EXCEPT !.named = @ \ {<<"payload", c>>}])

\* A plan that was read is there: only an erasure replaces one.
ErasePlan(w) ==
  LET me == work[w]
  IN /\ me.pc = "erase"
     /\ \E c \in me.others \ (me.freed \cup me.own) :
          GoesOn(w, [me EXCEPT !.others = @ \ {c}],
                    [db EXCEPT !.named = @ \ {<<"plan", c>>},
                               !.plan[c] = IF @ # Kept /\ @.out \in {"rejected", "erased"} THEN @ ELSE [@ EXCEPT !.out = "erased"]])

\* The archive is last: only there a record may be left by which the person is found.
EraseArchive(w) ==
  LET me == work[w]
  IN /\ me.pc = "erase"
     /\ \E c \in me.kept \ (me.freed \cup me.own \cup me.others) :
          GoesOn(w, [me EXCEPT !.kept = @ \ {c}], [db EXCEPT !.archived = @ \ {c}, !.named = @ \ {<<"archive", c>>}])

\* The step is stored with the imports that it was about, and with those that were open.
Erased(w) ==
  LET me == work[w]
      again == IF me.seen.phase = "again" THEN db.again \ me.page ELSE IF ErasedTwice THEN db.again \cup me.relying ELSE db.again
  IN /\ me.pc = "erase" /\ me.unread = {} /\ me.freed = {} /\ me.own = {} /\ me.others = {} /\ me.kept = {}
     /\ MovedWith(w, me.seen.phase, 1, [db EXCEPT !.visited = @ \cup me.page, !.again = again])

(***************************************************************************)
(* The progress of the learner, with its ids.  Then chunks pass the gate;  *)
(* when all imports are erased from, it is passed on.                      *)
(***************************************************************************)
ReadLearner(w) ==
  /\ work[w].pc = "erasing learner"
  /\ GoesOn(w, [work[w] EXCEPT !.pc = "erase learner",
                               !.freed = {IdOf[x.chunk] : x \in {y \in db.contributions : y.pair = ErasedPair}}], db)

FreeLearner(w) ==
  LET me == work[w]
  IN /\ me.pc = "erase learner"
     /\ \E id \in me.freed :
          GoesOn(w, [me EXCEPT !.freed = @ \ {id}],
                    IF db.bound[id] = ErasedPair THEN [db EXCEPT !.bound[id] = None, !.mark[id] = 0] ELSE db)

DeleteLearner(w) ==
  /\ work[w].pc = "erase learner" /\ work[w].freed = {}
  /\ GoesOn(w, To(w, "learner deleted"), [db EXCEPT !.contributions = {x \in @ : x.pair # ErasedPair}])

LearnerDeleted(w) ==
  /\ work[w].pc = "learner deleted"
  /\ Moved(w, "admitting", 1)

AdmitChunks(w) ==
  /\ work[w].pc = "admitting"
  /\ GoesOn(w, To(w, "send admitted"), [db EXCEPT !.admits = @ \/ db.by = work[w].job])

SendAdmitted(w) ==
  /\ work[w].pc = "send admitted"
  /\ queue' = queue \cup (IF IsClosed THEN {db.by} ELSE {c \in Chunks : IsMissing(c)})
  /\ work' = [work EXCEPT ![w].pc = "admitted"]
  /\ UNCHANGED <<rec, db, fence, faults>>

Admitted(w) ==
  /\ work[w].pc = "admitted"
  /\ Moved(w, "erasing", 1)

\* Nothing was removed that an earlier plan of another learner relies on: the epoch stays.
PassErasureGate(w) ==
  LET next == To(w, "send")
  IN /\ work[w].pc = "passing"
     /\ IF db.by = work[w].job
        THEN GoesOn(w, next, [db EXCEPT !.by = FirstWaiting, !.waiting = OthersWaiting, !.admits = FALSE])
        ELSE GoesOn(w, next, db)

\* At an open gate nothing waits.
SendAfterErasure(w) ==
  /\ work[w].pc = "send"
  /\ queue' = queue \cup ({db.by} \ {None})
  /\ work' = [work EXCEPT ![w].pc = "forget erasure"]
  /\ UNCHANGED <<rec, db, fence, faults>>

\* Deletes the erasure, whatever its version.
ForgetErasure(w) ==
  LET e == work[w].job
  IN /\ work[w].pc = "forget erasure"
     /\ work' = Outdated(WithoutInvocation(w), w, e)
     /\ fence' = [x \in DOMAIN fence |-> fence[x] \ {w}]
     /\ db' = [db EXCEPT !.revert[e] = [phase |-> "done", at |-> 1]]
     /\ UNCHANGED <<rec, queue, faults>>

ErasureStep(w) ==
  \/ StoreErasureFence(w) \/ AfterErasureFence(w) \/ ListOpen(w) \/ HaltEnds(w)
  \/ ListImports(w) \/ EraseReport(w) \/ EraseEnds(w) \/ AfterSecondFence(w) \/ ListAgain(w) \/ AgainEnds(w)
  \/ (\E i \in Imports : ReadErased(w, i)) \/ FreeErased(w) \/ ErasePayload(w) \/ ErasePlan(w) \/ EraseArchive(w) \/ Erased(w)
  \/ ReadLearner(w) \/ FreeLearner(w) \/ DeleteLearner(w) \/ LearnerDeleted(w)
  \/ AdmitChunks(w) \/ SendAdmitted(w) \/ Admitted(w)
  \/ PassErasureGate(w) \/ SendAfterErasure(w) \/ ForgetErasure(w)
==============================================================================
