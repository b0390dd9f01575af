------------------------------ MODULE Instances ------------------------------
(* The imports, records and reverts of the small instances that instances.ts names. *)
EXTENDS Protocol, TLC

Symmetric == Permutations(Workers)
Record(pair, content) == [pair |-> pair, content |-> content]

\* Two imports, A and B, of one record each, with the same id. B says the same as A, or more, or names another pair.
ChunksAB == [i \in {"A", "B"} |-> {i}]
IdsAB == [c \in {"A", "B"} |-> "id"]
RecordsAB == {[c \in {"A", "B"} |-> IF c = "A" THEN Record("p", "a") ELSE b] :
                b \in {Record("p", "a"), Record("p", "b"), Record("q", "a")}}

\* Three imports.
ChunksABC == [i \in {"A", "B", "C"} |-> {i}]
IdsABC == [c \in {"A", "B", "C"} |-> "id"]
RecordsABC == {[c \in {"A", "B", "C"} |-> IF c = "A" THEN Record("p", "a") ELSE IF c = "B" THEN b ELSE d] :
                b \in {Record("p", "a"), Record("p", "b"), Record("q", "a")},
                d \in {Record("p", "a"), Record("p", "b"), Record("q", "a"), Record("q", "b")}}
\* B says the same as A. C says the same too, or names another pair.
RecordsSame == {r \in RecordsABC : r["B"] = Record("p", "a") /\ r["C"] \in {Record("p", "a"), Record("q", "a")}}

\* A has two chunks, with an id each.
ChunksA2B == [i \in {"A", "B"} |-> IF i = "A" THEN {"A1", "A2"} ELSE {"B"}]
IdsA2B == [c \in {"A1", "A2", "B"} |-> IF c = "A2" THEN "id2" ELSE "id"]
RecordsA2B == {[c \in {"A1", "A2", "B"} |-> IF c = "B" THEN b ELSE Record("p", "a")] :
                b \in {Record("p", "a"), Record("p", "b"), Record("q", "a")}}

RevertNone == [r \in {} |-> <<>>]
RevertA == [r \in {"revert A"} |-> <<"A">>]
RevertAandB == [r \in {"revert A", "revert B"} |-> IF r = "revert A" THEN <<"A">> ELSE <<"B">>]
RevertEachOfABC == [r \in {"revert A", "revert B", "revert C"} |->
  IF r = "revert A" THEN <<"A">> ELSE IF r = "revert B" THEN <<"B">> ELSE <<"C">>]
RevertRun == [r \in {"revert run"} |-> <<"A", "B">>]
RevertRunAndA == [r \in {"revert run", "revert A"} |-> IF r = "revert run" THEN <<"A", "B">> ELSE <<"A">>]
==============================================================================
